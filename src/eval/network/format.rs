//! A network as a file: a line of text, then numbers, little-endian, in the
//! order of the fields of [`Numbers`], then the weights of the linear
//! evaluation as text. Rows of cells and sites that no board has are left
//! out.

use thiserror::Error;

use super::accumulator::Sums;
use super::dot::Lanes;
use super::inputs::{BITS, bits_in_use};
use super::{HIDDEN, LAYER, Network, OUTPUTS, OWNERS, PLIES};
use crate::board::{Cell, Cells, Geometry, Size};
use crate::eval::Instructions;
use crate::eval::linear::value::FEATURES;
use crate::eval::linear::{Linear, Weights};

/// A file is no network of use here.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// It is something else.
    #[error("not a network of `pontifex train`: its first line is not '{MAGIC} SHAPE'")]
    Foreign,
    /// It is of another shape.
    #[error("a network of another shape: '{there}', this engine's are '{}'", shape())]
    Shape {
        /// Its shape.
        there: String,
    },
    /// Something is missing or too much.
    #[error("the network is damaged: {found} bytes follow the first line, not {wanted}")]
    Length {
        /// How many bytes there are.
        found: usize,
        /// How many there should be.
        wanted: usize,
    },
    /// It is not what was written.
    #[error("the network is damaged: its checksum is {found:08x}, not {wanted:08x}")]
    Damaged {
        /// The checksum of the bytes.
        found: u32,
        /// The one they should have.
        wanted: u32,
    },
    /// The weights of its linear part cannot be read.
    #[error("the network's linear weights: {0}")]
    Linear(String),
}

const MAGIC: &str = "pontifex-network 3";

/// No network is larger than so many bytes.
pub(crate) const LARGEST: u64 = 16 << 20;

fn shape() -> String {
    format!("bits={BITS} counts={FEATURES} hidden={HIDDEN} layer={LAYER} plies={PLIES}")
}

/// A network's numbers, row after row.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Numbers {
    /// [`BITS`] rows of [`HIDDEN`].
    pub(crate) first: Vec<i16>,
    /// [`HIDDEN`].
    pub(crate) first_bias: Vec<i16>,
    /// [`FEATURES`] rows of [`HIDDEN`].
    pub(crate) counted: Vec<i16>,
    /// [`LAYER`] rows of [`HIDDEN`].
    pub(crate) second: Vec<i8>,
    /// [`LAYER`].
    pub(crate) second_bias: Vec<i32>,
    /// [`OUTPUTS`] rows of [`LAYER`].
    pub(crate) output: Vec<i8>,
    /// [`OUTPUTS`].
    pub(crate) output_bias: Vec<i32>,
    /// [`PLIES`] rows of [`HIDDEN`].
    pub(crate) ply: Vec<i8>,
    /// [`PLIES`].
    pub(crate) ply_bias: Vec<i32>,
    /// [`OWNERS`] rows of [`HIDDEN`].
    pub(crate) owner: Vec<i8>,
    /// [`OWNERS`].
    pub(crate) owner_bias: Vec<i32>,
    /// The text of the linear weights.
    pub(crate) linear: String,
}

/// For every row whether some board has it.
struct InUse {
    bits: Vec<bool>,
    plies: Vec<bool>,
    owners: Vec<bool>,
}

impl InUse {
    fn new() -> InUse {
        let mut plies = vec![false; PLIES];
        let mut owners = vec![false; OWNERS];
        for cell in Cells::board(Size::MAX) {
            plies[cell.index()] = true;
            owners[cell.index()] = true;
            owners[Cell::TABLE + cell.index()] = true;
        }
        for site in Geometry::of(Size::MAX).sites().iter() {
            plies[Cell::TABLE + site.index()] = true;
        }
        plies[PLIES - 1] = true;
        InUse { bits: bits_in_use(), plies, owners }
    }
}

/// A number of a file.
trait Number: Copy + Default {
    const BYTES: usize;
    fn write(self, to: &mut Vec<u8>);
    /// From [`Self::BYTES`] bytes.
    fn read(from: &[u8]) -> Self;
}

macro_rules! number {
    ($type:ty) => {
        impl Number for $type {
            const BYTES: usize = size_of::<$type>();

            fn write(self, to: &mut Vec<u8>) {
                to.extend(self.to_le_bytes());
            }

            fn read(from: &[u8]) -> $type {
                from.try_into().map_or(0, <$type>::from_le_bytes)
            }
        }
    };
}

number!(i8);
number!(i16);
number!(i32);

/// Writes the rows in use of a table.
fn write<T: Number>(to: &mut Vec<u8>, table: &[T], in_use: &[bool]) {
    let width = (table.len() / in_use.len()).max(1);
    for (row, &is_in_use) in table.chunks_exact(width).zip(in_use) {
        if is_in_use {
            for number in row {
                number.write(to);
            }
        }
    }
}

/// Reads rows of `width`; those not in use are zeros. `None` when there is
/// not enough.
fn read<T: Number>(from: &mut &[u8], width: usize, in_use: &[bool]) -> Option<Vec<T>> {
    let mut table = vec![T::default(); in_use.len() * width];
    for (row, &is_in_use) in table.chunks_exact_mut(width).zip(in_use) {
        if is_in_use {
            let part = from.split_off(..width * T::BYTES)?;
            for (number, bytes) in row.iter_mut().zip(part.chunks_exact(T::BYTES)) {
                *number = T::read(bytes);
            }
        }
    }
    Some(table)
}

impl Numbers {
    /// The bytes of a file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let InUse { bits, plies, owners } = InUse::new();
        let mut body = Vec::new();
        write(&mut body, &self.first, &bits);
        write(&mut body, &self.first_bias, &[true]);
        write(&mut body, &self.counted, &[true]);
        write(&mut body, &self.second, &[true]);
        write(&mut body, &self.second_bias, &[true]);
        write(&mut body, &self.output, &[true]);
        write(&mut body, &self.output_bias, &[true]);
        write(&mut body, &self.ply, &plies);
        write(&mut body, &self.ply_bias, &plies);
        write(&mut body, &self.owner, &owners);
        write(&mut body, &self.owner_bias, &owners);
        body.extend(self.linear.as_bytes());
        let (length, sum) = (body.len(), crc32fast::hash(&body));
        let mut bytes = format!("{MAGIC} {} bytes={length} crc={sum:08x}\n", shape()).into_bytes();
        bytes.extend(body);
        bytes
    }

    /// The numbers of a file and their checksum.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<(Numbers, u32), NetworkError> {
        let end = bytes.iter().take(256).position(|&byte| byte == b'\n');
        let (line, body) = bytes.split_at(end.ok_or(NetworkError::Foreign)?);
        let body = &body[1..];
        let (there, wanted, sum) = read_first_line(line).ok_or(NetworkError::Foreign)?;
        if there != shape() {
            return Err(NetworkError::Shape { there: there.to_owned() });
        }
        if body.len() != wanted {
            return Err(NetworkError::Length { found: body.len(), wanted });
        }
        let found = crc32fast::hash(body);
        if found != sum {
            return Err(NetworkError::Damaged { found, wanted: sum });
        }
        // What this program did not write may have a line in other words, or
        // be shorter than its shape.
        let is_ours = line == first_line(wanted, sum).as_bytes();
        let numbers = Numbers::from_body(body).filter(|_| is_ours);
        Ok((numbers.ok_or(NetworkError::Foreign)?, found))
    }

    fn from_body(mut from: &[u8]) -> Option<Numbers> {
        let InUse { bits, plies, owners } = InUse::new();
        let from = &mut from;
        // In the order in which they stand here.
        Some(Numbers {
            first: read(from, HIDDEN, &bits)?,
            first_bias: read(from, HIDDEN, &[true])?,
            counted: read(from, HIDDEN, &[true; FEATURES])?,
            second: read(from, HIDDEN, &[true; LAYER])?,
            second_bias: read(from, 1, &[true; LAYER])?,
            output: read(from, LAYER, &[true; OUTPUTS])?,
            output_bias: read(from, 1, &[true; OUTPUTS])?,
            ply: read(from, HIDDEN, &plies)?,
            ply_bias: read(from, 1, &plies)?,
            owner: read(from, HIDDEN, &owners)?,
            owner_bias: read(from, 1, &owners)?,
            linear: str::from_utf8(from).ok()?.to_owned(),
        })
    }
}

/// The first line of a file, before `length` bytes with this checksum.
fn first_line(length: usize, sum: u32) -> String {
    format!("{MAGIC} {} bytes={length} crc={sum:08x}", shape())
}

/// The shape, how many bytes follow, their checksum.
fn read_first_line(line: &[u8]) -> Option<(&str, usize, u32)> {
    let line = str::from_utf8(line).ok()?.strip_prefix(MAGIC)?.strip_prefix(' ')?;
    let (line, sum) = line.rsplit_once(" crc=")?;
    let (shape, length) = line.rsplit_once(" bytes=")?;
    Some((shape, length.parse().ok()?, u32::from_str_radix(sum, 16).ok()?))
}

impl Network {
    /// The network of a file's bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let (numbers, checksum) = Numbers::from_bytes(bytes)?;
        let weights = Weights::parse(&numbers.linear)
            .map_err(|error| NetworkError::Linear(error.to_string()))?;
        Network::new(&numbers, &Linear::new(&weights), checksum).ok_or(NetworkError::Foreign)
    }

    /// `None` when the numbers are not as many as they should be.
    fn new(numbers: &Numbers, linear: &Linear, checksum: u32) -> Option<Network> {
        fn sums(numbers: &[i16]) -> Vec<Sums> {
            numbers.as_chunks().0.iter().copied().map(Sums).collect()
        }
        fn lanes<const N: usize>(numbers: &[i8]) -> Vec<Lanes<i8, N>> {
            numbers.as_chunks().0.iter().copied().map(Lanes).collect()
        }
        Some(Network {
            linear: linear.clone(),
            first: sums(&numbers.first),
            first_bias: Sums(numbers.first_bias[..].try_into().ok()?),
            counted: sums(&numbers.counted),
            second: lanes(&numbers.second).try_into().ok()?,
            second_bias: numbers.second_bias[..].try_into().ok()?,
            output: lanes(&numbers.output).try_into().ok()?,
            output_bias: numbers.output_bias[..].try_into().ok()?,
            ply: lanes(&numbers.ply),
            ply_bias: numbers.ply_bias.clone(),
            owner: lanes(&numbers.owner),
            owner_bias: numbers.owner_bias.clone(),
            instructions: Instructions::detect(),
            checksum,
        })
    }
}

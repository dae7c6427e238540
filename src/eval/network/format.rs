//! A network as a file: a line of text, then numbers, little-endian, in the
//! order of the fields of [`Network`], then the weights of the linear
//! evaluation as text.

use thiserror::Error;

use super::accumulator::Sums;
use super::inputs::BITS;
use super::{HIDDEN, LAYER, Network, OUTPUTS, OWNERS, PLIES};
use crate::eval::Instructions;
use crate::eval::linear::value::FEATURES;
use crate::eval::linear::{Linear, Weights};

/// A file is no network of use here.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// It is something else.
    #[error("not a network of `pontifex train`: it does not begin with '{MAGIC}'")]
    Foreign,
    /// It is of another shape.
    #[error("a network of another shape: '{there}', this engine's are '{}'", shape())]
    Shape {
        /// Its shape.
        there: String,
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

const MAGIC: &str = "pontifex-network 1";

fn shape() -> String {
    format!("bits={BITS} counts={FEATURES} hidden={HIDDEN} layer={LAYER} plies={PLIES}")
}

/// A network's numbers in any order of use.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Numbers {
    pub(crate) first: Vec<i16>,
    pub(crate) first_bias: Vec<i16>,
    pub(crate) counted: Vec<i16>,
    pub(crate) second: Vec<i8>,
    pub(crate) second_bias: Vec<i32>,
    pub(crate) output: Vec<i8>,
    pub(crate) output_bias: Vec<i32>,
    pub(crate) ply: Vec<i8>,
    pub(crate) ply_bias: Vec<i32>,
    pub(crate) owner: Vec<i8>,
    pub(crate) owner_bias: Vec<i32>,
    /// The text of the linear weights.
    pub(crate) linear: String,
}

/// Reads and writes the numbers in one order.
macro_rules! in_order {
    ($numbers:ident, $each:ident) => {
        $each!(i16, $numbers.first, BITS * HIDDEN);
        $each!(i16, $numbers.first_bias, HIDDEN);
        $each!(i16, $numbers.counted, FEATURES * HIDDEN);
        $each!(i8, $numbers.second, LAYER * HIDDEN);
        $each!(i32, $numbers.second_bias, LAYER);
        $each!(i8, $numbers.output, OUTPUTS * LAYER);
        $each!(i32, $numbers.output_bias, OUTPUTS);
        $each!(i8, $numbers.ply, PLIES * HIDDEN);
        $each!(i32, $numbers.ply_bias, PLIES);
        $each!(i8, $numbers.owner, OWNERS * HIDDEN);
        $each!(i32, $numbers.owner_bias, OWNERS);
    };
}

impl Numbers {
    /// The bytes of a file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        macro_rules! write {
            ($type:ty, $from:expr, $count:expr) => {
                body.extend($from.iter().flat_map(|number| number.to_le_bytes()));
            };
        }
        in_order!(self, write);
        body.extend(self.linear.as_bytes());
        let mut bytes =
            format!("{MAGIC} {} crc={:08x}\n", shape(), crc32fast::hash(&body)).into_bytes();
        bytes.extend(body);
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Result<(Numbers, u32), NetworkError> {
        let end = bytes.iter().take(256).position(|&byte| byte == b'\n');
        let line = end.and_then(|end| std::str::from_utf8(&bytes[..end]).ok());
        let head = line.and_then(|line| line.strip_prefix(MAGIC)).ok_or(NetworkError::Foreign)?;
        let body = &bytes[end.unwrap_or(0) + 1..];
        let (there, sum) = head.trim_start().split_once(" crc=").ok_or(NetworkError::Foreign)?;
        if there != shape() {
            return Err(NetworkError::Shape { there: there.to_owned() });
        }
        let wanted = u32::from_str_radix(sum, 16).map_err(|_| NetworkError::Foreign)?;
        let found = crc32fast::hash(body);
        if found != wanted {
            return Err(NetworkError::Damaged { found, wanted });
        }
        let mut numbers = Numbers {
            first: Vec::new(),
            first_bias: Vec::new(),
            counted: Vec::new(),
            second: Vec::new(),
            second_bias: Vec::new(),
            output: Vec::new(),
            output_bias: Vec::new(),
            ply: Vec::new(),
            ply_bias: Vec::new(),
            owner: Vec::new(),
            owner_bias: Vec::new(),
            linear: String::new(),
        };
        let mut rest = body;
        macro_rules! read {
            ($type:ty, $to:expr, $count:expr) => {
                const SIZE: usize = size_of::<$type>();
                let (part, after) = rest
                    .split_at_checked(SIZE * $count)
                    .ok_or(NetworkError::Damaged { found: 0, wanted })?;
                rest = after;
                let (numbers, _) = part.as_chunks::<SIZE>();
                $to = numbers.iter().map(|&bytes| <$type>::from_le_bytes(bytes)).collect();
            };
        }
        {
            macro_rules! read_in_block {
                ($type:ty, $to:expr, $count:expr) => {{
                    read!($type, $to, $count);
                }};
            }
            in_order!(numbers, read_in_block);
        }
        numbers.linear = String::from_utf8_lossy(rest).into_owned();
        Ok((numbers, found))
    }
}

impl Network {
    /// The network of a file's bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let (numbers, checksum) = Numbers::from_bytes(bytes)?;
        let weights = Weights::parse(&numbers.linear)
            .map_err(|error| NetworkError::Linear(error.to_string()))?;
        let damaged = NetworkError::Damaged { found: checksum, wanted: checksum };
        let array = |bias: &[i16]| Sums::try_from(bias).map_err(|_| damaged.clone());
        Ok(Network {
            linear: Linear::new(&weights),
            first: numbers.first.as_chunks().0.to_vec(),
            first_bias: array(&numbers.first_bias)?,
            counted: numbers.counted.as_chunks().0.to_vec(),
            second: numbers.second.as_chunks().0.try_into().map_err(|_| damaged.clone())?,
            second_bias: numbers.second_bias[..].try_into().map_err(|_| damaged.clone())?,
            output: numbers.output.as_chunks().0.try_into().map_err(|_| damaged.clone())?,
            output_bias: numbers.output_bias[..].try_into().map_err(|_| damaged.clone())?,
            ply: numbers.ply.as_chunks().0.to_vec(),
            ply_bias: numbers.ply_bias,
            owner: numbers.owner.as_chunks().0.to_vec(),
            owner_bias: numbers.owner_bias,
            instructions: Instructions::detect(),
            checksum,
        })
    }
}

//! How the losses fell: a table as text, tab-separated.

use std::fmt;

use super::losses::Summary;

/// A row for each window.
#[derive(Clone, Debug, Default)]
pub(super) struct Curves {
    /// The rows, in their order.
    pub(super) rows: Vec<Row>,
}

/// How it went with a window.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Epochs learnt by then.
    pub epoch: f64,
    /// The rate at which the window was learnt.
    pub rate: f64,
    /// Positions learnt by then, each as often as it was.
    pub positions: f64,
    /// Mean losses on the window while it was learnt.
    pub train: Summary,
    /// Mean losses on the games held out after it.
    pub held_out: Summary,
}

impl Row {
    /// Numbers before the losses.
    const FIRST: [&'static str; 3] = ["epoch", "rate", "positions"];

    /// Digits after the point of these, and of the losses.
    const FIRST_DIGITS: [usize; 3] = [4, 8, 0];
    const DIGITS: usize = 5;

    fn values(&self) -> impl Iterator<Item = (f64, usize)> {
        let first = [self.epoch, self.rate, self.positions];
        let losses = self.train.values().into_iter().chain(self.held_out.values());
        let losses = losses.map(|value| (value, Self::DIGITS));
        first.into_iter().zip(Self::FIRST_DIGITS).chain(losses)
    }

    fn parse(line: &str) -> Option<Row> {
        let values: Option<Vec<f64>> = line.split('\t').map(|word| word.parse().ok()).collect();
        let values = values?;
        let (&[epoch, rate, positions], losses) = values.split_first_chunk()?;
        let (&train, losses) = losses.split_first_chunk()?;
        let held_out = Summary::from_values(losses.try_into().ok()?);
        Some(Row { epoch, rate, positions, train: Summary::from_values(train), held_out })
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (value, digits)) in self.values().enumerate() {
            let tab = if n == 0 { "" } else { "\t" };
            write!(f, "{tab}{value:.digits$}")?;
        }
        Ok(())
    }
}

impl Curves {
    /// Adds a row, rounded as it is written: what is read again is the same.
    pub(super) fn add(&mut self, row: Row) {
        self.rows.push(Row::parse(&row.to_string()).unwrap_or(row));
    }

    /// Positions learnt.
    pub(super) fn positions(&self) -> f64 {
        self.rows.last().map_or(0.0, |row| row.positions)
    }

    /// The text of a table, if it is one.
    pub(super) fn parse(text: &str) -> Option<Curves> {
        let (head, rows) = text.split_once('\n')?;
        let rows = rows.lines().map(Row::parse).collect::<Option<_>>()?;
        (head == Self::head()).then_some(Curves { rows })
    }

    fn head() -> String {
        let losses = |of: &'static str| Summary::NAMES.map(|name| format!("{of}_{name}"));
        let first = Row::FIRST.map(str::to_owned);
        let names: Vec<String> =
            first.into_iter().chain(losses("train")).chain(losses("held_out")).collect();
        names.join("\t")
    }
}

impl fmt::Display for Curves {
    /// A line of names, then one for each row.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", Self::head())?;
        self.rows.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_as_they_were_written() {
        let mut curves = Curves::default();
        for n in 1..4 {
            let n = f64::from(n);
            let train = Summary::from_values([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7].map(|x| x / n));
            let held_out = if n > 2.0 { train } else { Summary::from_values([f64::NAN; 7]) };
            curves.add(Row {
                epoch: n / 3.0,
                rate: 0.001 / n,
                positions: 7e9 * n,
                train,
                held_out,
            });
        }
        let text = curves.to_string();
        assert!(text.starts_with("epoch\trate\tpositions\ttrain_result\ttrain_error\t"), "{text}");
        assert_eq!(text.lines().nth(1).unwrap().split('\t').count(), 17);
        assert!(text.contains("\n0.3333\t0.00100000\t7000000000\t0.10000\t"), "{text}");
        let read = Curves::parse(&text).unwrap();
        assert_eq!(read.to_string(), text);
        for (a, b) in read.rows.iter().zip(&curves.rows) {
            assert_eq!(format!("{a:?}"), format!("{b:?}"));
        }
        assert!(Curves::parse(&text.replace("rate", "speed")).is_none());
        assert!(Curves::parse(&text.replace("7000000000", "many")).is_none());
        assert!(Curves::parse(&text.replace("\t7000000000", "")).is_none());
    }
}

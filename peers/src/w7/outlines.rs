//! Stores many outlines: polygons with holes and groups of them. Reads and writes their binary file,
//! which `w7/outlines.py` describes.

use std::io::{self, Read, Write};

pub(super) type Point = [f64; 2];

/// Outlines in one array of points. The first point of a ring is not repeated.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Outlines {
    /// First polygon of each outline, first ring of each polygon, first point of each ring; each with its end.
    starts: [Vec<u32>; 3],
    points: Vec<Point>,
}

impl Outlines {
    pub(super) fn empty() -> Self {
        Self { starts: [vec![0], vec![0], vec![0]], points: Vec::new() }
    }

    /// Adds an outline. The first ring of a polygon is its outer ring.
    pub(super) fn push<'a>(&mut self, polygons: impl IntoIterator<Item = impl IntoIterator<Item = &'a [Point]>>) {
        let index = |length: usize| u32::try_from(length).expect("fewer than 2³² points");
        for polygon in polygons {
            for ring in polygon {
                self.points.extend_from_slice(ring);
                self.starts[2].push(index(self.points.len()));
            }
            self.starts[1].push(index(self.starts[2].len() - 1));
        }
        self.starts[0].push(index(self.starts[1].len() - 1));
    }

    pub(super) fn len(&self) -> usize {
        self.starts[0].len() - 1
    }

    pub(super) fn point_count(&self) -> usize {
        self.points.len()
    }

    /// Returns the polygons of an outline, each as its rings.
    pub(super) fn polygons(&self, outline: usize) -> impl Iterator<Item = impl Iterator<Item = &[Point]>> {
        let range = |of: usize, i: usize| self.starts[of][i] as usize..self.starts[of][i + 1] as usize;
        range(0, outline).map(move |polygon| range(1, polygon).map(move |ring| &self.points[range(2, ring)]))
    }

    /// Returns all points of an outline.
    pub(super) fn points(&self, outline: usize) -> &[Point] {
        let [outlines, polygons, rings] = &self.starts;
        let start = |of: u32| rings[polygons[of as usize] as usize] as usize;
        &self.points[start(outlines[outline])..start(outlines[outline + 1])]
    }

    /// Returns the outlines for which `keep` returns true.
    pub(super) fn filtered(&self, mut keep: impl FnMut(usize) -> bool) -> Self {
        let mut kept = Self::empty();
        (0..self.len()).filter(|&i| keep(i)).for_each(|i| kept.push(self.polygons(i)));
        kept
    }

    pub(super) fn read(file: &mut impl Read) -> io::Result<Self> {
        let counts = numbers(file, 4, u32::from_le_bytes)?;
        let mut starts = [0, 1, 2].map(|_| Vec::new());
        for (starts, &count) in starts.iter_mut().zip(&counts) {
            *starts = numbers(file, count as usize + 1, u32::from_le_bytes)?;
        }
        let numbers = numbers(file, 2 * counts[3] as usize, f64::from_le_bytes)?;
        let points = numbers.chunks_exact(2).map(|p| [p[0], p[1]]).collect();
        Ok(Self { starts, points })
    }

    pub(super) fn write(&self, file: &mut impl Write) -> io::Result<()> {
        let ends = self.starts.iter().map(|starts| starts.len() - 1);
        for count in ends.chain([self.points.len()]) {
            file.write_all(&u32::try_from(count).expect("fewer than 2³² points").to_le_bytes())?;
        }
        for start in self.starts.iter().flatten() {
            file.write_all(&start.to_le_bytes())?;
        }
        self.points.iter().flatten().try_for_each(|x| file.write_all(&x.to_le_bytes()))
    }
}

/// Reads an array of little-endian numbers of `N` bytes.
pub(super) fn numbers<T, const N: usize>(
    file: &mut impl Read,
    count: usize,
    decode: impl Fn([u8; N]) -> T,
) -> io::Result<Vec<T>> {
    let mut bytes = vec![0; count * N];
    file.read_exact(&mut bytes)?;
    Ok(bytes.chunks_exact(N).map(|bytes| decode(bytes.try_into().expect("a chunk of N bytes"))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_file_reads_back_equal() {
        let square: &[Point] = &[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
        let hole: &[Point] = &[[1.0, 1.0], [1.0, 2.0], [2.0, 1.0]];
        let island: &[Point] = &[[8.0, 0.0], [9.0, 0.0], [8.0, 1.0]];
        let mut outlines = Outlines::empty();
        outlines.push([vec![square, hole], vec![island]]);
        outlines.push([vec![island]]);
        let mut file = Vec::new();
        outlines.write(&mut file).unwrap();
        assert_eq!(Outlines::read(&mut &file[..]).unwrap(), outlines);
        assert_eq!(outlines.points(0).len(), 10);
        let second = outlines.filtered(|i| i == 1);
        assert_eq!((second.len(), second.points(0)), (1, island));
    }
}

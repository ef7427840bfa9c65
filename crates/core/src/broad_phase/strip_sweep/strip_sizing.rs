//! Chooses the height of the strips, from a sample of the boxes.
//!
//! Input: the boxes. Output: a [`StripLayout`], and whether strips along the other axis would be
//! much better.
//!
//! The simple version divides the world into strips of equal height. If boxes form clusters, most
//! strips are empty and a few contain nearly all boxes. So rows are grouped until each strip has
//! its share:
//!
//! ```text
//! spacing = sqrt(area of the world / number of boxes), scaled by the aspect ratio of the boxes
//! height of a strip = max(4 * spacing, mean height of the boxes)
//! share = number of boxes / (height of the world / height of a strip)
//! count the boxes in rows of a quarter of a strip's height
//! begin a new strip at a row if the current strip would contain more than its share
//! ```

use alloc::vec::Vec;

use super::strip_layout::StripLayout;
use crate::broad_phase::aabb32::{from_sort_key, sort_key};
use crate::math::both::both;
use crate::math::vector::sqrt;

/// Maximum number of boxes in the sample.
const MAX_SAMPLE: usize = 2048;
/// Maximum number of rows.
const MAX_ROWS: f32 = 65_536.0;
/// Strip height, in mean distances between neighbouring boxes. Measured: higher strips list fewer
/// boxes twice, lower strips test fewer pairs.
const HEIGHT_FACTOR: f32 = 4.0;

/// Scratch memory of the computation, and its results.
#[derive(Clone, Debug, Default)]
pub(super) struct StripSizing {
    /// Sort keys of min x of the sampled boxes, sorted.
    left: Vec<u32>,
    /// Sort keys of min y of the sampled boxes, sorted.
    low: Vec<u32>,
    /// Number of boxes that begin in each row.
    counts: Vec<u32>,
    /// Estimated number of boxes in a strip whose x interval intersects that of one box.
    pub(super) x_overlaps: f32,
    /// If true, strips along the other axis would be much better: the boxes are stacked on each
    /// other, with nearly equal x.
    pub(super) should_transpose: bool,
}

impl StripSizing {
    /// Sets `layout` to strips that contain about equally many of the `count` boxes.
    #[expect(clippy::manual_clamp, reason = "of NaN it is one row")]
    pub(super) fn size_strips(
        &mut self,
        layout: &mut StripLayout,
        boxes: impl Iterator<Item = [f32; 4]> + Clone,
        count: usize,
    ) {
        self.left.clear();
        self.low.clear();
        self.should_transpose = false;
        let (mut width, mut height) = (0.0_f64, 0.0_f64);
        // Sample min x, min y and the mean size.
        for b in boxes.clone().step_by(count / MAX_SAMPLE + 1) {
            self.left.push(sort_key(b[0]));
            self.low.push(sort_key(b[1]));
            width += f64::from(b[2] - b[0]);
            height += f64::from(b[3] - b[1]);
        }
        if self.low.len() < 2 {
            layout.set(0.0, 0.0, 1, |_| false);
            return;
        }
        // The extents of the sampled world, without outliers.
        self.left.sort_unstable();
        self.low.sort_unstable();
        let sampled = self.low.len() as f64;
        let (width, height) = ((width / sampled) as f32, (height / sampled) as f32);
        let [wide, high] = both([&self.left, &self.low], |sorted| trimmed_extent(sorted));
        // Mean spacing: the square root of the area per box, scaled by the aspect ratio of the
        // boxes.
        let spacing =
            sqrt(f64::from(wide) * f64::from(high) / count as f64 * f64::from(height) / f64::from(width)) as f32;
        // A strip is at least as high as an average box.
        let wanted = (HEIGHT_FACTOR * spacing).max(height);
        // Transpose if boxes are stacked along y and nearly aligned along x.
        self.should_transpose = wide < 8.0 * width && high / height > 16.0 * (wide / width).max(1.0);
        // At least 24 boxes per strip on average, and at most half of the maximum number of strips.
        let strips = (high / wanted).clamp(1.0, (count / 24 + 1) as f32);
        let share = (count as f32 / strips).max(count as f32 / StripLayout::MAX_STRIPS as f32 * 2.0);
        // If the middle x values are all equal, the quotient has no meaning: every box intersects
        // every other along x.
        self.x_overlaps = if wide > 0.0 { width / wide * share } else { f32::INFINITY };

        // Rows cover the sample without the outermost 1/256 at both ends.
        let tail = self.low.len() / 256;
        let (min, max) = (from_sort_key(self.low[tail]), from_sort_key(self.low[self.low.len() - 1 - tail]));
        // One row if the quotient is NaN: 0 / 0 for boxes on one point, or infinite coordinates.
        let rows = ((max - min) / wanted * 4.0).max(1.0).min(MAX_ROWS) as usize;
        self.count_per_row(layout, boxes, min, max, rows);
        let (counts, row_height) = (&self.counts, (max - min) / rows as f32);
        let (mut listed, mut first_row) = (0.0, 0);
        layout.set(min, max, rows, |row| {
            listed += counts[row - 1] as f32;
            // Begin a new strip if this one has its share of boxes and is at least half a box high.
            let full =
                listed + 0.5 * counts[row] as f32 > share && (row - first_row) as f32 * row_height >= 0.5 * height;
            if full {
                (listed, first_row) = (0.0, row);
            }
            full
        });
    }

    /// Counts the boxes that begin in each row.
    fn count_per_row(
        &mut self,
        layout: &mut StripLayout,
        boxes: impl Iterator<Item = [f32; 4]>,
        min: f32,
        max: f32,
        rows: usize,
    ) {
        layout.set(min, max, rows, |_| false);
        self.counts.clear();
        self.counts.resize(rows, 0);
        for b in boxes {
            self.counts[layout.row(b[1]).min(rows - 1)] += 1;
        }
    }
}

/// Returns the extent of the values of sort keys, without outliers: 4/3 of the extent of the middle three
/// quarters.
fn trimmed_extent(sorted: &[u32]) -> f32 {
    let eighth = sorted.len() / 8;
    (from_sort_key(sorted[sorted.len() - 1 - eighth]) - from_sort_key(sorted[eighth])) * (4.0 / 3.0)
}

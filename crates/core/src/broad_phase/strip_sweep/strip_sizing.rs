//! How high the strips should be: from a sample of the boxes.

use alloc::vec::Vec;

use super::strip_layout::StripLayout;
use crate::math::vector::sqrt;

/// Boxes that are looked at.
const SAMPLE: usize = 2048;
/// The most rows.
const ROWS: f32 = 65_536.0;
/// How many times the mean distance of neighbours a strip is high. Higher strips share fewer boxes, lower ones try fewer pairs; measured.
const HEIGHT: f32 = 4.0;

/// Scratch of the planning, and what came out.
#[derive(Clone, Debug, Default)]
pub(super) struct StripSizing {
    left: Vec<f32>,
    low: Vec<f32>,
    counts: Vec<u32>,
    /// How many boxes a box meets along x in its strip, about.
    pub(super) crowd: f32,
    /// Would strips along the other axis be far better? Boxes above one another are sorted faster than cut apart.
    pub(super) turn: bool,
}

impl StripSizing {
    /// Cuts the world of `count` boxes so that the strips hold alike many.
    #[expect(clippy::manual_clamp, reason = "of NaN it is one row")]
    pub(super) fn cut(&mut self, cut: &mut StripLayout, boxes: impl Iterator<Item = [f32; 4]> + Clone, count: usize) {
        self.left.clear();
        self.low.clear();
        self.turn = false;
        let (mut width, mut height) = (0.0_f64, 0.0_f64);
        for b in boxes.clone().step_by(count / SAMPLE + 1) {
            self.left.push(b[0]);
            self.low.push(b[1]);
            width += f64::from(b[2] - b[0]);
            height += f64::from(b[3] - b[1]);
        }
        if self.low.len() < 2 {
            cut.set(0.0, 0.0, 1, |_| false);
            return;
        }
        self.left.sort_unstable_by(f32::total_cmp);
        self.low.sort_unstable_by(f32::total_cmp);
        let sampled = self.low.len() as f64;
        let (width, height) = ((width / sampled) as f32, (height / sampled) as f32);
        let [wide, high] = [&self.left, &self.low].map(|sorted| middle(sorted));
        // The area of a box's own, turned into a strip's height by the shape of the boxes.
        let spacing =
            sqrt(f64::from(wide) * f64::from(high) / count as f64 * f64::from(height) / f64::from(width)) as f32;
        let wanted = (HEIGHT * spacing).max(height);
        self.turn = wide < 8.0 * width && high / height > 16.0 * (wide / width).max(1.0);
        let strips = (high / wanted).clamp(1.0, (count / 24 + 1) as f32);
        let share = (count as f32 / strips).max(count as f32 / StripLayout::MOST as f32 * 2.0);
        // Points on one spot have neither width nor places of their own.
        self.crowd = if wide > 0.0 { width / wide * share } else { f32::INFINITY };

        let tail = self.low.len() / 256;
        let (min, max) = (self.low[tail], self.low[self.low.len() - 1 - tail]);
        // One where the quotient is none: 0 by 0 of points on one spot, or infinities.
        let rows = ((max - min) / wanted * 4.0).max(1.0).min(ROWS) as usize;
        self.count(cut, boxes, min, max, rows);
        let (counts, row_height) = (&self.counts, (max - min) / rows as f32);
        let (mut held, mut begun) = (0.0, 0);
        cut.set(min, max, rows, |row| {
            held += counts[row - 1] as f32;
            let full = held + 0.5 * counts[row] as f32 > share && (row - begun) as f32 * row_height >= 0.5 * height;
            if full {
                (held, begun) = (0.0, row);
            }
            full
        });
    }

    /// How many boxes begin in each row.
    fn count(&mut self, cut: &mut StripLayout, boxes: impl Iterator<Item = [f32; 4]>, min: f32, max: f32, rows: usize) {
        cut.set(min, max, rows, |_| false);
        self.counts.clear();
        self.counts.resize(rows, 0);
        for b in boxes {
            self.counts[cut.row(b[1]).min(rows - 1)] += 1;
        }
    }
}

/// How long a stretch would be that is filled evenly as densely as the middle three quarters of these numbers are.
fn middle(sorted: &[f32]) -> f32 {
    let eighth = sorted.len() / 8;
    (sorted[sorted.len() - 1 - eighth] - sorted[eighth]) * (4.0 / 3.0)
}

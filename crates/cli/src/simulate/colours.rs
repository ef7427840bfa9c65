//! `--color`: colours of moving bodies.
use clap::ValueEnum;

/// Values that decide the colour of a body in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tint {
    pub(super) speed: f64,
    pub(super) has_contact: bool,
}

/// Meaning of the colours of bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorBy {
    /// The smallest mass, the second smallest, all others
    Mass,
    /// From blue (slow) over green to yellow (the fastest of the run)
    Speed,
    /// Red with a contact, blue without one
    Contact,
}

/// Number of colours of the scale of speeds.
const STEPS: usize = 16;

/// Five colours of viridis, which is even for the eye and for colour-blind readers.
const VIRIDIS: [[f64; 3]; 5] =
    [[68.0, 1.0, 84.0], [59.0, 82.0, 139.0], [33.0, 145.0, 140.0], [94.0, 201.0, 98.0], [253.0, 231.0, 37.0]];

/// Colours without a contact, and with one.
const CONTACT: [[f64; 3]; 2] = [[29.0, 95.0, 168.0], [200.0, 30.0, 60.0]];

impl ColorBy {
    /// Returns the colours, stroke and fill, or `None` for the colours of masses.
    pub(super) fn palette(self) -> Option<Vec<[String; 2]>> {
        let pair = |c: [f64; 3]| {
            let hex = |c: [f64; 3]| {
                format!("#{:02x}{:02x}{:02x}", c[0].round() as u8, c[1].round() as u8, c[2].round() as u8)
            };
            [hex(c.map(|x| x * 0.6)), hex(c)]
        };
        match self {
            Self::Mass => None,
            Self::Contact => Some(CONTACT.map(pair).to_vec()),
            Self::Speed => Some((0..STEPS).map(|i| pair(viridis(i as f64 / (STEPS - 1) as f64))).collect()),
        }
    }

    /// Returns the index of the colour of each body in each frame.
    pub(super) fn indices(self, tints: &[Vec<Tint>]) -> Vec<Vec<u8>> {
        let fastest = tints.iter().flatten().map(|tint| tint.speed).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        let index = |tint: &Tint| match self {
            Self::Mass => 0,
            Self::Contact => u8::from(tint.has_contact),
            Self::Speed => (tint.speed / fastest * (STEPS - 1) as f64).round() as u8,
        };
        tints.iter().map(|frame| frame.iter().map(index).collect()).collect()
    }
}

/// Returns the colour at a position of the scale, from 0 to 1.
fn viridis(at: f64) -> [f64; 3] {
    let position = at.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let low = (position.floor() as usize).min(VIRIDIS.len() - 2);
    let part = position - low as f64;
    [0, 1, 2].map(|i| VIRIDIS[low][i] + (VIRIDIS[low + 1][i] - VIRIDIS[low][i]) * part)
}

#[cfg(test)]
mod tests {
    use super::{ColorBy, STEPS, Tint};

    #[test]
    fn the_fastest_has_the_last_colour_and_contacts_the_second() {
        let tint = |speed, has_contact| Tint { speed, has_contact };
        let frames = [vec![tint(0.0, true), tint(10.0, false)], vec![tint(5.0, false), tint(1.0, true)]];
        assert_eq!(ColorBy::Contact.indices(&frames), [vec![1, 0], vec![0, 1]]);
        assert_eq!(ColorBy::Speed.indices(&frames), [vec![0, 15], vec![8, 2]]);
        assert_eq!(ColorBy::Speed.palette().unwrap().len(), STEPS);
        assert_eq!(ColorBy::Speed.palette().unwrap()[15][1], "#fde725");
        assert_eq!(ColorBy::Mass.palette(), None);
    }
}

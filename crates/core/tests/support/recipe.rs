//! A shape as data of a test: it can be built, printed as Rust, and reduced.

use std::fmt::{self, Display, Formatter};

use carom::{DVec2, Error, Placed, Pose, Shape};

use super::exact::Outline;
pub use super::kinds::Base;

/// A constructor, and the radius by which its shape is rounded (0: not at all).
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    pub base: Base,
    pub rounding: f64,
}

impl From<Base> for Recipe {
    fn from(base: Base) -> Self {
        Self { base, rounding: 0.0 }
    }
}

impl Recipe {
    pub fn build(&self) -> Result<Shape, Error> {
        let shape = self.base.build()?;
        if self.rounding > 0.0 { shape.rounded(self.rounding) } else { Ok(shape) }
    }

    /// The same shape with less to it, if any: the steps by which an example is made readable.
    pub fn smaller(&self) -> Vec<Self> {
        let plain = (self.rounding > 0.0).then(|| Self { rounding: 0.0, ..self.clone() });
        let shorter = match &self.base {
            Base::Polygon(points) if points.len() > 3 => fewer_points(points),
            _ => Vec::new(),
        };
        let keep_rounding = |base| Self { base, rounding: self.rounding };
        plain.into_iter().chain(shorter.into_iter().map(Base::Polygon).map(keep_rounding)).collect()
    }
}

/// The outline without a half, a quarter … of its points, down to one point.
fn fewer_points(points: &[DVec2]) -> Vec<Vec<DVec2>> {
    let mut outlines = Vec::new();
    let mut chunk = points.len() / 2;
    while chunk > 0 {
        for start in (0..points.len()).step_by(chunk) {
            let end = (start + chunk).min(points.len());
            let rest = [&points[..start], &points[end..]].concat();
            if rest.len() >= 3 {
                outlines.push(rest);
            }
        }
        chunk /= 2;
    }
    outlines
}

impl Display for Recipe {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.base)?;
        if self.rounding > 0.0 { write!(f, ".rounded({:?})?", self.rounding) } else { Ok(()) }
    }
}

/// A shape somewhere, with the recipe that it was made by.
#[derive(Clone, Debug)]
pub struct Body {
    pub recipe: Recipe,
    pub shape: Shape,
    pub pose: Pose,
}

impl Body {
    /// Panics if the constructor refuses, because the generators make valid shapes only.
    pub fn new(recipe: impl Into<Recipe>, pose: Pose) -> Self {
        let recipe = recipe.into();
        let shape = recipe.build().unwrap_or_else(|e| panic!("refused a valid shape: {e}\n{recipe}"));
        Self { recipe, shape, pose }
    }

    pub fn placed(&self) -> Placed<'_> {
        self.shape.placed(self.pose)
    }

    pub fn outline(&self) -> Outline {
        Outline::of(self.placed())
    }

    /// Turned as before, elsewhere.
    pub fn moved_to(&self, translation: DVec2) -> Self {
        let pose = Pose::from_cos_sin(translation, self.pose.cos(), self.pose.sin());
        Self { pose: pose.expect("a translation in range, a rotation that was accepted before"), ..self.clone() }
    }

    pub fn smaller(&self) -> Vec<Self> {
        let rebuilt = |recipe: Recipe| Some(Self { shape: recipe.build().ok()?, recipe, pose: self.pose });
        self.recipe.smaller().into_iter().filter_map(rebuilt).collect()
    }
}

impl Display for Body {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (t, c, s) = (self.pose.translation(), self.pose.cos(), self.pose.sin());
        write!(f, "{}.placed(Pose::from_cos_sin([{:?}, {:?}], {c:?}, {s:?})?)", self.recipe, t.x, t.y)
    }
}

/// Two bodies, as the input of a query.
#[derive(Clone, Debug)]
pub struct Pair {
    pub a: Body,
    pub b: Body,
}

impl Pair {
    pub fn swapped(&self) -> Self {
        Self { a: self.b.clone(), b: self.a.clone() }
    }

    pub fn smaller(&self) -> Vec<Self> {
        let first = self.a.smaller().into_iter().map(|a| Self { a, b: self.b.clone() });
        let second = self.b.smaller().into_iter().map(|b| Self { a: self.a.clone(), b });
        first.chain(second).collect()
    }
}

impl Display for Pair {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "a = {};\n    b = {};", self.a, self.b)
    }
}

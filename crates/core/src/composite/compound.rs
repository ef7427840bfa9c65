//! Constructs compounds: the union of shapes, each at a pose.
//!
//! Input: shapes of any kind with their poses. Output: one composite with the parts of all
//! children, one child after the other. Nested compounds are flattened: each part has one pose,
//! relative to the whole shape. So a query does not depend on the nesting. The index of each
//! child's first part is stored, to find the child of a part by binary search.
//!
//! If a child is a polygon, the parts are computed by the first query that needs them.

use alloc::format;
use alloc::vec::Vec;
use core::ops::ControlFlow::{Break, Continue};

use glam::DVec2;

use super::composite;
use crate::error::{Error, ErrorKind};
use crate::math::pose::Pose;
use crate::math::vector::check_point;
use crate::shape::composite_parts::CompositeParts;
use crate::shape::composite_source::{CompositeSource, Compound};
use crate::shape::{Form, Shape};

impl Shape {
    /// Creates the union of several shapes, each at a pose. The shapes may be of any kind,
    /// compounds too, and may overlap.
    ///
    /// Its parts are the parts of the children, one child after the other.
    /// [`child_of`](Shape::child_of) returns the child of a part.
    ///
    /// ```
    /// use carom::{Pose, Shape, collide};
    ///
    /// let hammer = Shape::compound([
    ///     (Shape::rectangle(0.2, 2.0)?, Pose::IDENTITY),
    ///     (Shape::rectangle(1.0, 0.4)?, Pose::from_translation([0.0, 1.0])?),
    /// ])?;
    /// let nail = Shape::segment([0.0, 0.0], [1.0, 0.0])?;
    /// let contact = collide(hammer.at([0.0, 0.0])?, nail.at([0.4, 1.1])?).unwrap();
    /// assert_eq!(hammer.child_of(contact.part_a), Some((1, 0))); // its head
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there are no children, or if the pose of a part is farther than 1e30 from the origin.
    pub fn compound(children: impl IntoIterator<Item = (Self, Pose)>) -> Result<Self, Error> {
        let children: Vec<(Self, Pose)> = children.into_iter().collect();
        if children.is_empty() {
            return Err(Error::new(
                ErrorKind::Empty,
                "a compound without shapes has no points: give it at least one shape".into(),
            ));
        }
        let (mut max_parts, mut has_outline) = (0_usize, false);
        for (i, (child, pose)) in children.iter().enumerate() {
            let check = |pose: &Pose| check_point(format_args!("translation of child {i}"), pose.translation());
            let mut checked = Ok(DVec2::ZERO);
            let _ = child.placed(*pose).for_each_leaf(&mut |leaf| {
                let count = match &leaf.shape().0 {
                    Form::Composite(composite) if composite.outline().is_some() => {
                        has_outline = true;
                        checked = check(&leaf.pose());
                        // A polygon of n vertices has fewer than 3 n triangles, in spite of holes.
                        3 * leaf.shape().points().len()
                    }
                    _ => {
                        checked = leaf.parts().try_fold(DVec2::ZERO, |_, part| check(&part.pose));
                        leaf.shape().part_count()
                    }
                };
                max_parts = max_parts.saturating_add(count);
                if checked.is_ok() { Continue(()) } else { Break(()) }
            });
            checked?;
        }
        if u32::try_from(max_parts).is_err() {
            return Err(Error::new(
                ErrorKind::TooManyPoints,
                format!("the compound can have {max_parts} parts; the limit is 2³² − 1"),
            ));
        }
        let parts = (!has_outline).then(|| CompositeParts::of_children(&children));
        let source = CompositeSource::Compound(Compound { children });
        Ok(composite(source, 0.0, None, parts))
    }
}

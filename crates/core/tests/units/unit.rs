//! A unit of length with random shapes in it, and results with their dimension.

use carom::{Collider, DVec2, Manifold, Pose, Shape, World};

use crate::support::dice::Dice;

/// A unit of length 2^power, and random numbers in this unit.
pub(super) struct Unit {
    pub(super) power: i32,
    pub(super) dice: Dice,
}

impl Unit {
    /// Returns a length in this unit.
    pub(super) fn of(&self, length: f64) -> f64 {
        libm::ldexp(length, self.power)
    }

    pub(super) fn vector(&self, x: f64, y: f64) -> DVec2 {
        DVec2::new(self.of(x), self.of(y))
    }

    pub(super) fn length(&mut self, low: f64, high: f64) -> f64 {
        let length = self.dice.between(low, high);
        self.of(length)
    }

    pub(super) fn point(&mut self, size: f64) -> DVec2 {
        let (x, y) = (self.dice.between(-size, size), self.dice.between(-size, size));
        self.vector(x, y)
    }

    pub(super) fn pose(&mut self, size: f64) -> Pose {
        let (at, angle) = (self.point(size), self.dice.angle());
        Pose::new(at, angle).unwrap()
    }

    /// Returns a star around the origin: a simple polygon.
    pub(super) fn star(&mut self, corners: usize, size: f64) -> Vec<DVec2> {
        let angle = |i: usize| std::f64::consts::TAU * i as f64 / corners as f64;
        (0..corners).map(|i| DVec2::from_angle(angle(i)) * self.length(0.2 * size, size)).collect()
    }

    pub(super) fn convex(&mut self) -> Shape {
        let [p, q] = [self.point(2.0), self.point(2.0)];
        let [width, height, radius] = [self.length(0.3, 4.0), self.length(0.3, 4.0), self.length(0.1, 1.0)];
        match self.dice.index(6) {
            0 => Shape::circle(radius),
            1 => Shape::segment(p, q),
            2 => Shape::capsule(p, q, radius),
            3 => Shape::rectangle(width, height),
            4 => Shape::rectangle(width, height).and_then(|shape| shape.rounded(radius)),
            _ => Shape::polygon(&self.star(3, 3.0)),
        }
        .unwrap()
    }

    pub(super) fn shape(&mut self) -> Shape {
        let corners = self.dice.count(4, 9);
        match self.dice.index(8) {
            0 => Shape::polygon(&self.star(corners, 3.0)).unwrap(),
            1 => Shape::chain(&self.star(corners, 3.0)).unwrap(),
            2 => {
                let children = [(self.convex(), self.pose(2.0)), (self.convex(), self.pose(2.0))];
                Shape::compound(children).unwrap()
            }
            3 => {
                let outline = self.star(corners, 4.0);
                let hole = self.star(3, 0.5).iter().map(|&p| p * 0.5).collect();
                Shape::polygon_with_holes(&outline, &[hole]).unwrap()
            }
            _ => self.convex(),
        }
    }

    pub(super) fn shapes(&mut self, count: usize) -> Vec<(Shape, Pose)> {
        (0..count).map(|_| (self.shape(), self.pose(6.0))).collect()
    }

    pub(super) fn world(&mut self, count: usize) -> World {
        let mut world = World::new();
        for (shape, pose) in self.shapes(count) {
            let is_fixed = self.dice.chance(0.3);
            world.insert(Collider::new(shape).pose(pose).fixed(is_fixed));
        }
        world
    }
}

/// A result.
pub(super) struct Value {
    pub(super) name: &'static str,
    /// Power of the unit of length.
    pub(super) degree: i32,
    pub(super) number: f64,
    /// True if a cast was made before: see [`Results::after_cast`].
    pub(super) after_cast: bool,
}

#[derive(Default)]
pub(super) struct Results {
    pub(super) values: Vec<Value>,
    after_cast: bool,
}

impl Results {
    /// Marks all later results: they depend on a cast, whose impact may have been searched.
    pub(super) fn after_cast(&mut self) {
        self.after_cast = true;
    }

    pub(super) fn of_degree(&mut self, name: &'static str, degree: i32, number: f64) {
        self.values.push(Value { name, degree, number, after_cast: self.after_cast });
    }

    pub(super) fn number(&mut self, name: &'static str, value: f64) {
        self.of_degree(name, 0, value);
    }

    pub(super) fn count(&mut self, name: &'static str, count: usize) {
        self.number(name, count as f64);
    }

    pub(super) fn length(&mut self, name: &'static str, value: f64) {
        self.of_degree(name, 1, value);
    }

    pub(super) fn area(&mut self, name: &'static str, value: f64) {
        self.of_degree(name, 2, value);
    }

    pub(super) fn point(&mut self, name: &'static str, value: DVec2) {
        self.length(name, value.x);
        self.length(name, value.y);
    }

    pub(super) fn direction(&mut self, name: &'static str, value: DVec2) {
        self.number(name, value.x);
        self.number(name, value.y);
    }

    pub(super) fn manifold(&mut self, name: &'static str, found: &Manifold) {
        self.direction(name, found.normal);
        self.length(name, found.depth);
        for point in found.points() {
            self.point(name, point.on_a);
        }
    }
}

//! Numbers, poses, boxes, rays and bitmaps; no shapes.

pub(crate) mod aabb;
pub(crate) mod bitmap;
pub(crate) mod both;
pub(crate) mod bytes;
pub(crate) mod cores;
pub(crate) mod fetch;
pub(crate) mod integer;
pub(crate) mod lanes;
pub(crate) mod point;
pub(crate) mod pose;
pub(crate) mod predicates;
pub(crate) mod ray;
pub(crate) mod sort;
pub(crate) mod surds;
pub(crate) mod twofold;
pub(crate) mod vector;

//! Responses to contacts: impulses, position correction, particles.
mod bounce;
mod crowd;
mod flight;
mod gas;
mod particles;
mod rooms;
mod separate;
mod stacks;
mod stale;
mod stale_model;
mod tunnels;

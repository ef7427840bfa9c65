//! What is done about contacts: bounces, pushes, particles.
mod bounce;
mod flight;
mod gas;
mod particles;
mod separate;

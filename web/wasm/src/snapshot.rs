//! Exports snapshots and the hash of a world.

use crate::export;
use crate::world::halves;

export! {
    /// Writes the state of a world into the bytes.
    fn world_snapshot(buffers, world: usize) {
        buffers.bytes = buffers.space(world)?.world.to_bytes();
        Ok(true)
    }

    /// Restores the state of the bytes. Writes the layers that its colliders and masks name, as two halves, lower half
    /// first. A mask of all layers names none.
    fn world_restore(buffers, world: usize) {
        let bytes = core::mem::take(&mut buffers.bytes);
        let space = buffers.space(world)?;
        space.world.restore(&bytes)?;
        space.find_handles();
        let named = space.world.colliders().fold(0, |named, (_, collider)| {
            let mask = collider.filter.mask;
            named | collider.filter.layers | if mask == u64::MAX { 0 } else { mask }
        });
        buffers.write(&halves(named));
        Ok(true)
    }

    /// Writes the hash of the state as two halves, lower half first.
    fn world_hash(buffers, world: usize) {
        let hash = buffers.space(world)?.world.state_hash();
        buffers.write(&halves(hash));
        Ok(true)
    }
}

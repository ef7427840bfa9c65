// Follows one pointer from its press to its end.

/** What a pointer does after its press. */
export interface Gesture {
  move(event: PointerEvent): void;
  /** Called once, with the event that ends the gesture. It is no `pointerup` if the browser took the pointer away. */
  end(event: PointerEvent): void;
}

/**
 * Starts a gesture when the main button or a finger presses an element. Until it ends, other fingers on the element
 * change nothing. `begin` returns null if the press starts no gesture.
 */
export function followPointer(element: Element, begin: (event: PointerEvent) => Gesture | null): void {
  let followed: { id: number; gesture: Gesture } | null = null;
  const on = (name: string, run: (event: PointerEvent) => void): void =>
    element.addEventListener(name, (event) => run(event as PointerEvent));
  on("pointerdown", (event) => {
    if (event.button !== 0 || followed) return;
    const gesture = begin(event);
    if (!gesture) return;
    followed = { id: event.pointerId, gesture };
    element.setPointerCapture(event.pointerId);
  });
  on("pointermove", (event) => {
    if (followed?.id === event.pointerId) followed.gesture.move(event);
  });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) {
    on(name, (event) => {
      if (followed?.id !== event.pointerId) return;
      const { gesture } = followed;
      followed = null;
      gesture.end(event);
    });
  }
}

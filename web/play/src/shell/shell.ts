// The shell: opens the room of the address, keeps undo, the address, and the tools.

import { loadCarom } from "../carom";
import { rooms, type RoomEntry } from "../rooms/registry";
import { savedRoom } from "../open_files";
import type { Action, Room, RoomContext, Settling } from "../rooms/room";
import type { SceneText } from "../scene_text";
import { button } from "../ui/controls";
import { h } from "../ui/dom";
import { icon } from "../ui/icons";
import { keepFocus } from "../ui/keep_focus";
import { ADDRESS_LIMIT, pack, readAddress, unpack, writeAddress } from "./address";
import { download } from "./download";
import { drawHeader } from "./header";
import { say } from "./language";
import { setState, shortState, splitState, stateLength, stateOf, wholeState, type SavedState } from "./saved_state";
import { Toolbar } from "./toolbar";
import { Undo } from "./undo";
import { words } from "./words";

/** Bytes of the files that are opened together. The reader needs several times as much memory. */
const LARGEST = 64e6;

/** Letters of the largest state that is packed for the address after each gesture. Hardly a larger one would fit. */
const LARGEST_PACKED = 1e6;

export class Shell {
  private readonly header = document.querySelector<HTMLElement>("header.top")!;
  private readonly figure = document.querySelector<HTMLElement>(".figure")!;
  private readonly side = document.querySelector<HTMLElement>(".side")!;
  private readonly live = document.querySelector<HTMLElement>(".live")!;
  private readonly box = h("div", { class: "canvas-box" });
  private readonly undo = new Undo();
  private entry: RoomEntry = rooms[0]!;
  private room: Room | null = null;
  private first: SavedState = { text: "null", scene: null };
  /** Work that the state in force needs, and the last state that was shown. */
  private settling: Settling | null = null;
  private shown: SavedState | undefined;
  /** True from the begin of such work until the room shows its state. Work that fails leaves it true. */
  private unshown = false;
  private toolbar: Toolbar | null = null;
  private leaving = new AbortController();
  private writing = 0;
  private written: Promise<boolean | null> = Promise.resolve(null);
  private restoring = 0;
  private opening = new AbortController();
  /** True while files are opened. Then the busy message is about them. */
  private reading = false;

  start(): void {
    this.labels();
    addEventListener("hashchange", () => void this.enter());
    addEventListener("keydown", (event) => this.keydown(event));
    for (const name of ["dragover", "dragleave", "drop"] as const) addEventListener(name, (event) => this.drag(event));
    void this.enter();
    document.querySelector("[data-skip]")!.addEventListener("click", (event) => {
      event.preventDefault();
      this.figure.focus();
    });
  }

  private labels(): void {
    document.title = `${say(this.entry.name)} · ${say(words.title)}`;
    document.querySelector("[data-skip]")!.textContent = say(words.skip);
    this.figure.setAttribute("aria-label", say(words.figure));
    this.side.setAttribute("aria-label", say(words.text));
    drawHeader(this.header, this.entry.id, (what) => {
      this.labels();
      if (what === "theme") this.room?.themeChanged?.();
      else {
        this.drawToolbar();
        this.room?.languageChanged();
      }
    });
  }

  /** Leaves the room, and mounts the one of the address. */
  private async enter(): Promise<void> {
    const { room: id, packed } = readAddress(location.hash);
    const entry = rooms.find((one) => one.id === id) ?? rooms[0]!;
    if (this.room && entry === this.entry) {
      await this.restore(packed);
      return;
    }
    this.cancelOpening();
    this.leaving.abort();
    this.leaving = new AbortController();
    const left = this.leaving.signal;
    this.room?.unmount();
    this.room = null;
    this.settling = null;
    this.unshown = false;
    this.entry = entry;
    this.box.replaceChildren();
    this.box.className = "canvas-box";
    this.side.replaceChildren();
    this.figure.replaceChildren(this.box);
    this.labels();
    try {
      const module = await entry.load();
      if (left.aborted) return;
      const room = module.default.mount(this.context(left));
      this.room = room;
      this.first = stateOf(room);
      this.undo.restart(this.first);
      this.shown = this.first;
      this.drawToolbar();
      if (packed) await this.restore(packed);
    } catch (error) {
      if (left.aborted) return;
      // Browsers remember that a script could not be loaded, so only a new page loads it.
      const reload = { label: say(words.reload), run: () => location.reload() };
      this.message(say(words.roomFailed, { reason: reason(error) }), "error", reload);
    }
  }

  private context(left: AbortSignal): RoomContext {
    const carom = loadCarom();
    carom.catch((error: unknown) => {
      if (!left.aborted) this.message(say(words.loadFailed, { reason: reason(error) }), "error");
    });
    return {
      figure: this.box,
      side: this.side,
      carom,
      left,
      // A room that was left has work in flight. It does not touch the room after it.
      commit: () => {
        if (!left.aborted) this.commit();
      },
      announce: (text) => {
        if (!left.aborted) this.live.textContent = text;
      },
      message: (text, kind, action) => {
        if (!left.aborted) this.message(text, kind, action);
      },
      open: (name, work) => {
        if (!left.aborted) void this.openWith(name, work);
      },
      settle: () => this.settle(left),
    };
  }

  /** Sets the state of a link. A later link, and the link of another room, win. */
  private async restore(packed: string | null): Promise<void> {
    const room = this.room!;
    const ticket = ++this.restoring;
    this.cancelOpening();
    // Text that is cut or changed cannot be unpacked.
    const state = packed ? await unpack(packed).then(splitState, () => undefined) : this.first;
    if (ticket !== this.restoring || room !== this.room) return;
    try {
      if (state === undefined) throw new Error("damaged");
      this.message(null);
      this.put(room, state);
    } catch {
      this.put(room, this.first);
      this.message(say(words.badLink), "error");
    }
    this.keep(room);
  }

  private commit(): void {
    if (!this.room) return;
    this.keep(this.room);
    void this.writeAddress();
  }

  /** Adds the state of the room to undo. */
  private keep(room: Room): void {
    if (this.undo.add(stateOf(room))) this.drawUndo();
    this.noteShown();
  }

  /** Remembers the state in force, if the room shows it. */
  private noteShown(): void {
    if (!this.unshown) this.shown = this.undo.current;
  }

  /** Begins work that the state in force needs. */
  private settle(left: AbortSignal): Settling {
    const settling: Settling = {
      say: (text) => {
        if (this.settling !== settling || !this.canGoBack || this.reading) return;
        // An error is not covered.
        if (!this.box.querySelector(".message.error")) this.message(text, "busy");
      },
      end: (shown) => {
        if (this.settling !== settling) return;
        this.settling = null;
        if (!this.reading) this.removeBusy();
        if (!shown) return;
        this.unshown = false;
        this.noteShown();
      },
    };
    if (!left.aborted) {
      this.settling = settling;
      this.unshown = true;
    }
    return settling;
  }

  /** True while the state in force is not shown yet. At the start of a room there is no other state. */
  private get canGoBack(): boolean {
    return this.settling !== null && this.shown !== this.undo.current;
  }

  /** Ends the work that the state in force needs, and goes back to the last state that was shown. */
  private goBack(): void {
    const { room, shown } = this;
    this.settling = null;
    this.removeBusy();
    if (!room || !shown) return;
    this.undo.goTo(shown);
    this.put(room, shown);
    this.drawUndo();
    void this.writeAddress();
  }

  /**
   * Writes the state to the address, if it is short enough. Returns false if it is too long, and null if the room was
   * left. A later call answers for the calls before it that still pack their states.
   */
  private writeAddress(): Promise<boolean | null> {
    return (this.written = this.write(++this.writing));
  }

  private async write(ticket: number): Promise<boolean | null> {
    const room = this.room;
    if (!room) return null;
    const state = shortState(stateOf(room), LARGEST_PACKED);
    const initial = state === this.first.text;
    const hash = writeAddress(this.entry.id, initial || state === null ? null : await pack(state));
    if (room !== this.room) return null;
    if (ticket !== this.writing) return this.written;
    const fits = state !== null && hash.length <= ADDRESS_LIMIT;
    history.replaceState(null, "", fits ? hash : writeAddress(this.entry.id, null));
    return fits;
  }

  private step(by: -1 | 1): void {
    const state = this.undo.go(by);
    if (state === undefined || !this.room) return;
    this.cancelOpening();
    this.message(null); // Before the room, which may show why it refuses a shape.
    this.put(this.room, state);
    this.noteShown();
    this.drawUndo();
    void this.writeAddress();
  }

  private drawUndo(): void {
    this.toolbar?.update(this.undo.canUndo, this.undo.canRedo);
  }

  private drawToolbar(): void {
    const room = this.room;
    if (!room) return;
    this.toolbar?.element.remove();
    this.toolbar = new Toolbar({
      undo: () => this.step(-1),
      redo: () => this.step(1),
      reset: () => {
        this.cancelOpening();
        this.message(null);
        this.put(room, this.first);
        this.commit();
      },
      share: () => void this.share(),
      saves: () => this.saves(room),
      open: room.open ? (files) => void this.open(files) : null,
    });
    this.figure.prepend(this.toolbar.element);
    this.drawUndo();
  }

  private saves(room: Room) {
    const items = [{ label: say(words.saveState), run: () => this.saveState() }];
    const scene = room.scene?.();
    if (scene) {
      const text = "json" in scene ? (scene as SceneText).json : JSON.stringify(scene, null, 1) + "\n";
      items.push({
        label: say(words.saveScene),
        run: () => download(`${this.entry.id}.json`, [text], "application/json"),
      });
    }
    if (room.svg && (room.hasSvg?.() ?? true))
      items.push({ label: say(words.saveSvg), run: () => void this.saveSvg(room) });
    return items;
  }

  private async saveSvg(room: Room): Promise<void> {
    const name = `${this.entry.id}.svg`;
    try {
      const svg = await room.svg!();
      if (svg !== null) download(name, [svg], "image/svg+xml");
    } catch (error) {
      if (room === this.room) this.message(reason(error), "error");
    }
  }

  private saveState(): void {
    const saved = [`{"caromRoom":${JSON.stringify(this.entry.id)},"state":`, ...wholeState(stateOf(this.room!)), "}"];
    download(`${this.entry.id}.room.json`, saved, "application/json");
  }

  private async share(): Promise<void> {
    const fits = await this.writeAddress();
    const { room } = this;
    if (!room || fits === null) return;
    const text = await (fits ? this.copyLink() : this.saveLong(room));
    if (room === this.room) this.message(text, "note");
  }

  /** Copies the address. Returns the message about it. */
  private async copyLink(): Promise<string> {
    try {
      await navigator.clipboard.writeText(location.href);
      return say(words.copied);
    } catch {
      return say(words.copyFailed);
    }
  }

  /** Saves a state that is too long for a link. Returns the message about it. */
  private async saveLong(room: Room): Promise<string> {
    this.saveState();
    const state = stateOf(room);
    const short = shortState(state, LARGEST_PACKED);
    // To pack a long one takes long.
    if (short !== null) return say(words.tooLong, { size: (await pack(short)).length });
    return say(words.muchTooLong, { size: Math.ceil(stateLength(state) / 1e6) });
  }

  private async open(files: File[]): Promise<void> {
    const room = this.room;
    if (!room || files.length === 0) return;
    await this.openWith(files.map((file) => file.name).join(", "), async (signal) => {
      const size = files.reduce((sum, file) => sum + file.size, 0);
      if (size > LARGEST) throw new Error(say(words.tooLarge, { size: Math.ceil(size / 1e6), most: LARGEST / 1e6 }));
      const saved = await savedRoom(files, signal);
      signal.throwIfAborted();
      if (saved && saved.id !== this.entry.id) throw new Error(say(words.badRoom, { room: nameOf(saved.id) }));
      if (saved) this.setSaved(room, saved.state);
      else if (room.open) await room.open(files, signal);
      else throw new Error(say(words.noFiles));
    });
  }

  /** Runs the opening of files. A later one, another state and another room end it. */
  private async openWith(name: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.cancelOpening();
    const { signal } = (this.opening = new AbortController());
    this.reading = true;
    this.message(say(words.opening, { name: shorten(name) }), "busy");
    try {
      await work(signal);
      if (signal.aborted) return;
      this.reading = false;
      this.message(null);
      this.commit();
    } catch (error) {
      // The room ended it itself, or the shell did. Then another message may be there.
      if (signal.aborted) return;
      this.reading = false;
      if (error instanceof DOMException && error.name === "AbortError") this.message(null);
      else this.message(reason(error), "error");
    }
  }

  /** Ends the opening of files. */
  private cancelOpening(): void {
    this.opening.abort();
    this.reading = false;
    this.removeBusy();
  }

  private removeBusy(): void {
    this.removeMessage(this.box.querySelector(".message.busy"));
  }

  /** Removes a message. If a button in it has the focus, the figure gets the focus. */
  private removeMessage(message: Element | null): void {
    const focused = message?.contains(document.activeElement) ?? false;
    message?.remove();
    if (focused) this.figure.focus({ preventScroll: true });
  }

  /** Ends what the busy message is about. */
  private cancel(): void {
    if (this.reading) this.cancelOpening();
    else if (this.canGoBack) this.goBack();
  }

  /** Sets the state of the room. A control that it replaces keeps the focus. */
  private put(room: Room, state: SavedState): void {
    keepFocus(this.figure.parentElement!, () => setState(room, state));
  }

  private setSaved(room: Room, state: SavedState): void {
    try {
      this.put(room, state);
    } catch (error) {
      throw new Error(say(words.badState, { reason: reason(error) }));
    }
  }

  private drag(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.figure.classList.toggle("dropping", event.type === "dragover");
    if (event.type === "drop") void this.open([...event.dataTransfer.files]);
  }

  private keydown(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    this.step(key === "y" || event.shiftKey ? 1 : -1);
  }

  private message(text: string | null, kind: "error" | "note" | "busy" = "error", action?: Action): void {
    const shown = this.box.querySelector<HTMLElement>(".message");
    if (kind === "busy" && text !== null && shown?.matches(".busy")) {
      // The button stays, so that it keeps the focus.
      const label = shown.firstElementChild!;
      if (label.textContent !== text) label.textContent = text;
      return;
    }
    this.removeMessage(shown);
    if (text === null) return;
    const note = h(
      "div",
      { class: `message ${kind}`, role: kind === "error" ? "alert" : "status" },
      h("span", {}, text),
    );
    if (kind === "busy") note.append(button(say(words.cancel), () => this.cancel()));
    if (action) {
      const run = () => {
        this.removeMessage(note);
        action.run();
      };
      note.append(button(action.label, run));
    }
    if (kind === "error") {
      const close = button(say(words.close), () => this.removeMessage(note), icon("close"));
      close.classList.add("quiet");
      note.append(close);
    }
    this.box.append(note);
    if (kind === "note") setTimeout(() => this.removeMessage(note), 6000);
  }
}

/** Returns the begin of a long name. */
function shorten(name: string): string {
  return name.length > 60 ? `${name.slice(0, 59)}…` : name;
}

/** Returns the name of a room, or its id if there is no such room. */
function nameOf(id: string): string {
  const room = rooms.find((one) => one.id === id);
  return room ? say(room.name) : id;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

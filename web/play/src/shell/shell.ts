// The shell: opens the room of the address, keeps undo, the address, and the tools.

import { loadCarom } from '../carom';
import { rooms, type RoomEntry } from '../rooms/registry';
import type { Json, Room, RoomContext } from '../rooms/room';
import { button } from '../ui/controls';
import { h } from '../ui/dom';
import { ADDRESS_LIMIT, pack, readAddress, unpack, writeAddress } from './address';
import { download } from './download';
import { drawHeader } from './header';
import { say } from './language';
import { Toolbar } from './toolbar';
import { Undo } from './undo';
import { words } from './words';

/** Bytes of the files that are opened together. The reader needs several times as much memory. */
const LARGEST = 64e6;

/** Letters of the largest state that is packed for the address after each gesture. Hardly a larger one would fit. */
const LARGEST_PACKED = 1e6;

/** A saved state of a room. */
interface SavedRoom {
  caromRoom: string;
  state: Json;
}

export class Shell {
  private readonly header = document.querySelector<HTMLElement>('header.top')!;
  private readonly figure = document.querySelector<HTMLElement>('.figure')!;
  private readonly side = document.querySelector<HTMLElement>('.side')!;
  private readonly live = document.querySelector<HTMLElement>('.live')!;
  private readonly box = h('div', { class: 'canvas-box' });
  private readonly undo = new Undo();
  private entry: RoomEntry = rooms[0]!;
  private room: Room | null = null;
  private first: Json = null;
  private toolbar: Toolbar | null = null;
  private leaving = new AbortController();
  private writing = 0;
  private restoring = 0;
  private opening = new AbortController();

  start(): void {
    this.labels();
    addEventListener('hashchange', () => void this.enter());
    addEventListener('keydown', (event) => this.keydown(event));
    for (const name of ['dragover', 'dragleave', 'drop'] as const) addEventListener(name, (event) => this.drag(event));
    void this.enter();
    document.querySelector('[data-skip]')!.addEventListener('click', (event) => {
      event.preventDefault();
      this.figure.focus();
    });
  }

  private labels(): void {
    document.title = `${say(this.entry.name)} · ${say(words.title)}`;
    document.querySelector('[data-skip]')!.textContent = say(words.skip);
    this.figure.setAttribute('aria-label', say(words.figure));
    this.side.setAttribute('aria-label', say(words.text));
    drawHeader(this.header, this.entry.id, (what) => {
      this.labels();
      if (what === 'theme') this.room?.themeChanged?.();
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
    this.entry = entry;
    this.box.replaceChildren();
    this.box.className = 'canvas-box';
    this.side.replaceChildren();
    this.figure.replaceChildren(this.box);
    this.labels();
    try {
      const module = await entry.load();
      if (left.aborted) return;
      const room = module.default.mount(this.context(left));
      this.room = room;
      this.first = room.getState();
      this.undo.restart(textOf(room));
      this.drawToolbar();
      if (packed) await this.restore(packed);
    } catch (error) {
      if (!left.aborted) this.message(say(words.roomFailed, { reason: reason(error) }), 'error');
    }
  }

  private context(left: AbortSignal): RoomContext {
    const carom = loadCarom();
    carom.catch((error: unknown) => {
      if (!left.aborted) this.message(say(words.loadFailed, { reason: reason(error) }), 'error');
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
      message: (text, kind) => {
        if (!left.aborted) this.message(text, kind);
      },
      open: (name, work) => {
        if (!left.aborted) void this.openWith(name, work);
      },
    };
  }

  /** Sets the state of a link. A later link, and the link of another room, win. */
  private async restore(packed: string | null): Promise<void> {
    const room = this.room!;
    const ticket = ++this.restoring;
    this.cancelOpening();
    // Text that is cut or changed cannot be unpacked.
    const state = packed ? await unpack(packed).catch(() => undefined) : structuredClone(this.first);
    if (ticket !== this.restoring || room !== this.room) return;
    try {
      if (state === undefined) throw new Error('damaged');
      room.setState(state);
      this.message(null);
    } catch {
      room.setState(structuredClone(this.first));
      this.message(say(words.badLink), 'error');
    }
    if (this.undo.add(textOf(room))) this.drawUndo();
  }

  private commit(): void {
    if (!this.room) return;
    if (this.undo.add(textOf(this.room))) this.drawUndo();
    void this.writeAddress();
  }

  /** Writes the state to the address, if it is short enough. */
  private async writeAddress(): Promise<string | null> {
    const room = this.room;
    if (!room) return null;
    const ticket = ++this.writing;
    const state = textOf(room);
    const initial = state === JSON.stringify(this.first);
    const small = state.length <= LARGEST_PACKED;
    const hash = writeAddress(this.entry.id, initial || !small ? null : await pack(state));
    if (ticket !== this.writing || room !== this.room) return null;
    const fits = small && hash.length <= ADDRESS_LIMIT;
    history.replaceState(null, '', fits ? hash : writeAddress(this.entry.id, null));
    return fits ? hash : null;
  }

  private step(by: -1 | 1): void {
    const state = this.undo.go(by);
    if (state === undefined || !this.room) return;
    this.cancelOpening();
    this.room.setState(state);
    this.message(null);
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
        room.setState(structuredClone(this.first));
        this.message(null);
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
      const text = JSON.stringify(scene, null, 1) + '\n';
      items.push({
        label: say(words.saveScene),
        run: () => download(`${this.entry.id}.json`, text, 'application/json'),
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
      if (svg !== null) download(name, svg, 'image/svg+xml');
    } catch (error) {
      if (room === this.room) this.message(reason(error), 'error');
    }
  }

  private saveState(): void {
    const saved = `{"caromRoom":${JSON.stringify(this.entry.id)},"state":${textOf(this.room!)}}`;
    download(`${this.entry.id}.room.json`, saved, 'application/json');
  }

  private async share(): Promise<void> {
    if (!(await this.writeAddress())) {
      const size = (await pack(textOf(this.room!))).length;
      this.saveState();
      this.message(say(words.tooLong, { size }), 'note');
      return;
    }
    try {
      await navigator.clipboard.writeText(location.href);
      this.message(say(words.copied), 'note');
    } catch {
      this.message(say(words.copyFailed), 'note');
    }
  }

  private async open(files: File[]): Promise<void> {
    const room = this.room;
    if (!room || files.length === 0) return;
    await this.openWith(files.map((file) => file.name).join(', '), async (signal) => {
      const size = files.reduce((sum, file) => sum + file.size, 0);
      if (size > LARGEST) throw new Error(say(words.tooLarge, { size: Math.ceil(size / 1e6), most: LARGEST / 1e6 }));
      const saved = await savedRoom(files);
      signal.throwIfAborted();
      if (saved && saved.caromRoom !== this.entry.id) throw new Error(say(words.badRoom, { room: saved.caromRoom }));
      if (saved) this.setSaved(room, saved.state);
      else if (room.open) await room.open(files, signal);
      else throw new Error(say(words.noFiles));
    });
  }

  /** Runs the opening of files. A later one, another state and another room end it. */
  private async openWith(name: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.cancelOpening();
    const { signal } = (this.opening = new AbortController());
    this.message(say(words.opening, { name: shorten(name) }), 'busy');
    try {
      await work(signal);
      if (signal.aborted) return;
      this.message(null);
      this.commit();
    } catch (error) {
      // The room ended it itself, or the shell did. Then another message may be there.
      if (signal.aborted) return;
      if (error instanceof DOMException && error.name === 'AbortError') this.message(null);
      else this.message(reason(error), 'error');
    }
  }

  /** Ends the opening of files. */
  private cancelOpening(): void {
    this.opening.abort();
    this.box.querySelector('.message.busy')?.remove();
  }

  private setSaved(room: Room, state: Json): void {
    try {
      room.setState(state);
    } catch (error) {
      throw new Error(say(words.badState, { reason: reason(error) }));
    }
  }

  private drag(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    this.figure.classList.toggle('dropping', event.type === 'dragover');
    if (event.type === 'drop') void this.open([...event.dataTransfer.files]);
  }

  private keydown(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    this.step(key === 'y' || event.shiftKey ? 1 : -1);
  }

  private message(text: string | null, kind: 'error' | 'note' | 'busy' = 'error'): void {
    const shown = this.box.querySelector<HTMLElement>('.message');
    if (kind === 'busy' && text !== null && shown?.matches('.busy')) {
      // The button stays, so that it keeps the focus.
      const label = shown.firstElementChild!;
      if (label.textContent !== text) label.textContent = text;
      return;
    }
    shown?.remove();
    if (text === null) return;
    const note = h('div', { class: `message ${kind}`, role: kind === 'error' ? 'alert' : 'status' }, h('span', {}, text));
    if (kind === 'busy') note.append(button(say(words.cancel), () => this.cancelOpening()));
    this.box.append(note);
    if (kind === 'note') setTimeout(() => note.remove(), 6000);
  }
}

/** Returns the saved state of a room, if the only file is one. */
async function savedRoom(files: File[]): Promise<SavedRoom | null> {
  const [file] = files;
  if (files.length !== 1 || !file || !file.name.endsWith('.json') || file.size > 4_000_000) return null;
  try {
    const data: unknown = JSON.parse(await file.text());
    return data && typeof data === 'object' && 'caromRoom' in data ? (data as SavedRoom) : null;
  } catch {
    return null;
  }
}

/** Returns the state of a room as JSON text. */
function textOf(room: Room): string {
  return room.stateText?.() ?? JSON.stringify(room.getState());
}

/** Returns the begin of a long name. */
function shorten(name: string): string {
  return name.length > 60 ? `${name.slice(0, 59)}…` : name;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

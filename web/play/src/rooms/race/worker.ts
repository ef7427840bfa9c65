// Runs the race: the entrants in turns, a frame each. The page draws one of them.

import { ENTRANTS } from "./engine";
import { Lane } from "./lane";
import type { FromRace, ToRace } from "./messages";

const post = (message: FromRace, transfer: Transferable[] = []): void => postMessage(message, { transfer });

let lanes: Lane[] = [];
let shown = "";
let current = 0;

async function start({ run, ids, count, seed }: Extract<ToRace, { kind: "start" }>): Promise<void> {
  for (const lane of lanes) lane.close();
  lanes = [];
  for (const entrant of ENTRANTS.filter(({ id }) => ids.includes(id))) {
    try {
      const lane = await Lane.open(entrant, count, seed);
      if (run !== current) return lane.close();
      lanes.push(lane);
      post({ kind: "loaded", run, id: entrant.id });
    } catch (error) {
      post({ kind: "failed", run, id: entrant.id, message: error instanceof Error ? error.message : String(error) });
    }
  }
  post({ kind: "ready", run });
}

function round(run: number): void {
  for (const lane of lanes) lane.frame();
  const lane = lanes.find(({ entrant }) => entrant.id === shown) ?? lanes[0];
  if (!lane) return;
  const positions = lane.copy();
  const reports = lanes.map((one) => one.report());
  post({ kind: "round", run, reports, shown: lane.entrant.id, positions }, [positions.buffer]);
}

addEventListener("message", ({ data }: MessageEvent<ToRace>) => {
  if (data.kind === "start") {
    current = data.run;
    shown = data.shown;
    void start(data);
  } else if (data.kind === "show") shown = data.id;
  else if (data.run === current) round(data.run);
});

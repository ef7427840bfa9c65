// The table of answers about a pair.

import type { Carom } from "../../carom";
import { say, type Text } from "../../shell/language";
import { h } from "../../ui/dom";
import { type Case, textbook } from "./cases";
import { type Figure, relate, type Relation } from "./exact";
import type { Answer } from "./libraries";
import { words } from "./words";

const placed = (figure: Figure) =>
  figure.kind === "circle"
    ? { shape: { circle: { radius: figure.radius } }, x: figure.center[0], y: figure.center[1] }
    : { shape: { polygon: { points: figure.points } } };

/** Returns the relation that carom reports. */
export function askCarom(carom: Carom, { a, b }: Case): Relation {
  const [p, q] = [placed(a), placed(b)];
  if (!carom.intersects(p, q)) return "apart";
  return carom.overlaps(p, q) ? "overlap" : "touch";
}

/** Returns the table. An answer is marked as wrong if it contradicts exact arithmetic. */
export function answersTable(one: Case, carom: Relation | null, libraries: Answer[]): HTMLElement {
  const truth = relate(one.a, one.b);
  const row = (name: string, intersects: boolean, text: Text, isExact = false) => {
    const wrong = intersects !== (truth !== "apart");
    const mark = wrong ? h("strong", { class: "wrong" }, ` · ${say(words.wrong)}`) : null;
    return h(
      "tr",
      { "data-answer": name, "data-wrong": wrong ? "true" : null },
      h("th", { scope: "row" }, isExact ? h("strong", {}, name) : name),
      h("td", {}, h("span", { class: intersects ? "c-overlap" : "c-gap" }, say(text)), mark),
    );
  };
  const said = (relation: Relation): Text => words[relation];
  const intersects = textbook(one.a, one.b);
  return h(
    "table",
    { class: "answers" },
    h("caption", {}, say(words.answers)),
    h(
      "tbody",
      {},
      row(say(words.exact), truth !== "apart", said(truth), true),
      carom ? row(say(words.carom), carom !== "apart", said(carom)) : null,
      row(say(words.loop), intersects, intersects ? words.intersects : words.apart),
      ...libraries.map((answer) =>
        row(answer.name, answer.intersects, answer.intersects ? words.intersects : words.apart),
      ),
    ),
  );
}

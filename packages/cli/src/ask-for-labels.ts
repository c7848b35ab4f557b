import { type Judgement, type Kind, questionOf, type Rater } from '@agent-criteria/analysis';
import { kindName } from '@agent-criteria/analysis/text';
import { contentText, toolCalls } from '@agent-criteria/core';
import type { OpenedLabels } from '@agent-criteria/project/runs';
import { placeText } from '@agent-criteria/report/console';
import { safe, safeLines } from '@agent-criteria/report/terminal';
import {
  currentLabels,
  type Draw,
  type Label,
  type Labelled,
  labelledKey,
  labelledOf,
  type RunCase,
} from '@agent-criteria/results';
import { type Io, type Keyboard, painter } from './io.ts';

export interface AskForLabelsOptions {
  readonly opened: OpenedLabels;
  readonly kind: Kind;
  /** The judgements to label, in display order. */
  readonly things: readonly Judgement[];
  /** The way in which `things` were drawn. */
  readonly draw: Draw;
  /** The source of the verdicts: a judge, a criterion or the whole run. */
  readonly rater: Rater;
  readonly by: string;
  readonly keyboard: () => Keyboard;
  readonly io: Io;
}

export interface LabelCounts {
  /** The number of labels given in this session. */
  readonly now: number;
  /** The number of judgements that this person has labelled. */
  readonly all: number;
  /**
   * The number of other people who have given labels, and of judgements that they have labelled. `calibrate` counts
   * their labels too.
   */
  readonly others: { readonly people: number; readonly things: number };
}

/** Formats counts as `3 of 60 by ada, 12 by 2 other people`. */
export function labelledText({ all, others }: Omit<LabelCounts, 'now'>, things: number, by: string): string {
  const { people } = others;
  const more =
    people === 0 ? '' : `, ${others.things} by ${people === 1 ? 'one other person' : `${people} other people`}`;
  return `${all} of ${things} by ${safe(by)}${more}`;
}

const BY_VERDICT = 'Drawn by verdict: about as many that passed as failed, mixed. calibrate weights them.';

/**
 * Shows one answer after another and saves each label immediately. The judge's verdict is shown only once the label is
 * given. Ends after the last answer, on `q` or Ctrl-C, or at the end of the input.
 */
export async function askForLabels(options: AskForLabelsOptions): Promise<LabelCounts> {
  const { opened, kind, things, draw, rater, by, io } = options;
  const asked = new Set(things.map(labelledKey));
  const before = currentLabels(opened.labels()).filter((label) => asked.has(labelledKey(label)));
  const done = new Set(before.filter((label) => label.by === by).map(labelledKey));
  const byOthers = before.filter((label) => label.by !== by);
  const others = {
    people: new Set(byOthers.map((label) => label.by)).size,
    things: new Set(byOthers.map(labelledKey)).size,
  };
  const all = () => things.filter((thing) => done.has(labelledKey(thing))).length;
  const given: { readonly place: number; readonly thing: Judgement }[] = [];
  const keyboard = options.keyboard();
  const writer = opened.write();
  const colors = painter(io);
  let place = 0;
  try {
    const soFar = labelledText({ all: all(), others }, things.length, by);
    io.out(`Labelling ${safe(kindName(kind))} as ${safe(by)}. Labelled so far: ${soFar}.\n`);
    if (draw === 'by-verdict') io.out(`${BY_VERDICT}\n`);
    while (place < things.length && !io.signal.aborted) {
      const thing = things[place] as Judgement;
      if (done.has(labelledKey(thing))) {
        place += 1;
        continue;
      }
      const one = await opened.run.case(thing);
      if (one !== undefined) io.out(shown(one, thing, `${all() + 1} of ${things.length}`, opened, colors));
      const key = await keyIn(keyboard, 'pfsuq', io, 'pass (p), fail (f), skip (s), undo (u), quit (q)? ');
      if (key === null || key === 'q') break;
      if (key === 's') place += 1;
      else if (key === 'u') {
        const last = given.pop();
        if (last === undefined) {
          io.out('There is nothing to undo yet.\n');
          continue;
        }
        writer.add(labelOf(last.thing, null, null, { by, drawn: draw }));
        done.delete(labelledKey(last.thing));
        place = last.place;
      } else {
        const reason = await lineFrom(keyboard, io, 'Reason (or Enter): ');
        // The reason is optional: a label counts even if entering its reason was interrupted.
        writer.add(labelOf(thing, key === 'p' ? 'pass' : 'fail', reason?.trim() || null, { by, drawn: draw }));
        given.push({ place, thing });
        done.add(labelledKey(thing));
        io.out(`The ${rater} says: ${judgeText(thing)}\n`);
        place += 1;
        if (reason === null) break;
      }
    }
  } finally {
    keyboard.close();
    writer.close();
  }
  return { now: given.length, all: all(), others };
}

function labelOf(
  thing: Labelled,
  label: Label['label'],
  reason: string | null,
  how: Pick<Label, 'by' | 'drawn'>,
): Label {
  return { ...labelledOf(thing), label, reason, at: Date.now(), ...how };
}

function judgeText({ passed, reason }: Judgement): string {
  const verdict = passed === null ? 'nothing' : passed ? 'pass' : 'fail';
  return reason === null ? verdict : `${verdict}: ${safe(reason)}`;
}

/**
 * Formats the conversation up to the labelled turn, the expected answer and the question, without the judge's verdict.
 */
function shown(
  one: RunCase,
  thing: Judgement,
  count: string,
  { run }: OpenedLabels,
  colors: ReturnType<typeof painter>,
): string {
  const { repeat, turn, criterion, rubric } = thing;
  const invocations = one.inferences.find(({ key }) => key.repeat === repeat)?.inference.invocations ?? [];
  const upTo = turn === null ? invocations : invocations.slice(0, turn + 1);
  const field = (name: string, text: string) =>
    text === '' ? [] : [`  ${colors.dim(`${name}:`)} ${safeLines(text, 4)}`];
  const said = upTo.flatMap((invocation, index) => {
    const isLast = index === upTo.length - 1;
    const expected = isLast || turn === null ? contentText(one.evalCase.conversation?.[index]?.finalResponse) : '';
    const tools = toolCalls(invocation).map(({ name = '', args = {} }) => `${name}(${JSON.stringify(args)})`);
    return [
      ...field('user', contentText(invocation.userContent)),
      ...tools.flatMap((call) => field('tool', call)),
      ...field('agent', contentText(invocation.finalResponse) || '(no text)'),
      ...field('expected', expected),
    ];
  });
  const question = questionOf(one, thing, run.sets.find(({ id }) => id === one.setId)?.criteria ?? []);
  const what = rubric ?? criterion ?? 'the whole case';
  const head = colors.bold(`${count}  ${placeText(thing)}`);
  return `\n${[head, ...said, ...field(what, question)].join('\n')}\n`;
}

/** Reads keys until one of these is pressed, in upper or lower case. */
async function keyIn(keyboard: Keyboard, keys: string, io: Io, prompt: string): Promise<string | null> {
  io.raw(prompt);
  for (;;) {
    const key = (await keyboard.key())?.toLowerCase() ?? null;
    if (key === null) {
      io.raw('\n');
      return null;
    }
    if (!keys.includes(key)) continue;
    io.raw(`${key}\n`);
    return key;
  }
}

/** Reads a line up to Enter. Returns `null` if interrupted. */
async function lineFrom(keyboard: Keyboard, io: Io, prompt: string): Promise<string | null> {
  io.raw(prompt);
  let line = '';
  for (;;) {
    const key = await keyboard.key();
    if (key === null || key === '\r' || key === '\n') {
      io.raw('\n');
      return key === null ? null : line;
    }
    if (key === '\u007f' || key === '\b') {
      const shorter = [...line].slice(0, -1).join('');
      if (keyboard.echo && shorter !== line) io.raw('\b \b');
      line = shorter;
    } else if (key >= ' ') {
      line += key;
      if (keyboard.echo) io.raw(key);
    }
  }
}

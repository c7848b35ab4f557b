import { calibrate, type Judgement, kindOf, kindToLabel, labelKinds, questionOf } from '@agent-criteria/analysis';
import { kindName } from '@agent-criteria/analysis/text';
import { ANONYMOUS, labellerName } from '@agent-criteria/project/runs';
import {
  currentLabels,
  type Draw,
  isDraw,
  type Label,
  labelledKey,
  labelledOf,
  type RunCase,
} from '@agent-criteria/results';
import { openLabels, readLabels } from '@agent-criteria/runner';
import type { JudgeSays, LabelQuery, LabelTurn, NewLabel, ThingToLabel } from '../../api.ts';
import { mistake, refusal } from '../../http/refusal.ts';
import type { RememberedRun } from '../../runs/opened-runs.ts';
import { openedRun } from '../../runs/run-folder.ts';
import type { Studio } from '../../studio.ts';
import type { Handlers } from './handlers.ts';

const LONGEST_NAME = 200;
const LONGEST_REASON = 10_000;

/** Stores people's labels for verdicts. The judge's verdict is sent only to those who have labelled the same item. */
export function labelRoutes(studio: Studio) {
  const opened = async (id: string): Promise<RememberedRun> => {
    const found = await openedRun(studio, id);
    if (found.run.info.scoring === 0) throw refusal(409, `The run ${id} was never judged: there is nothing to label.`);
    return found;
  };
  const personIn = (by: string | undefined) =>
    personOf(by ?? labellerName(studio.projectOptions.environment ?? process.env) ?? ANONYMOUS);
  /** Lists all items of a kind in order, with one person's labels. */
  const sheetOf = async (id: string, query: { readonly [Key in keyof LabelQuery]: string | undefined }) => {
    const found = await opened(id);
    const { run } = found;
    const { judgements } = await found.judged();
    const kind = kindToLabel(judgements, query.criterion ?? null, query.rubric ?? null);
    const { draw: asked } = query;
    if (asked !== undefined && !isDraw(asked)) {
      throw mistake(['draw'], 'This must be "random" or "by-verdict".');
    }
    const { things, draw } = await found.drawn(kind, asked);
    if (things.length === 0) throw refusal(404, `The run has no verdict by ${kindName(kind)} to label.`);
    return { run, things, draw, own: ownLabels(found, personIn(query.by)) };
  };
  return {
    'GET /runs/:run/labels': async ({ run, query }) => {
      const found = await opened(run);
      const by = personIn(query.by);
      const labels = labelsOf(found);
      const own = labels.filter((label) => label.by === by);
      const kinds = labelKinds(await found.judged()).map((kind) => {
        const { judged, things, ...of } = kind;
        const labelled = own.filter((label) => isSame(kindOf(label), of)).length;
        return { ...kind, name: kindName(kind), labelled };
      });
      const people = [...new Set(labels.map((label) => label.by))].sort();
      return { by, people, run: found.run.info.id, kinds };
    },
    'GET /runs/:run/labels/next': async ({ run, query }) => {
      const sheet = await sheetOf(run, query);
      const after = Number(query.after ?? -1);
      const open = sheet.things.flatMap((thing, at) => (sheet.own.has(labelledKey(thing)) ? [] : [at]));
      const at = open.find((place) => place > after) ?? open[0];
      return at === undefined ? null : shown(sheet, at);
    },
    'GET /runs/:run/labels/things/:at': async ({ run, at: text, query }) => {
      const sheet = await sheetOf(run, query);
      const at = Number(text);
      if (sheet.things[at] !== undefined) return shown(sheet, at);
      throw refusal(404, `There are only ${sheet.things.length} things to label.`);
    },
    'POST /runs/:run/labels': async ({ run, fields }) => {
      const found = await opened(run);
      const { label, scoring } = labelOf(await fields());
      if (scoring !== found.run.info.scoring) {
        throw refusal(
          409,
          'The run was judged again meanwhile. Load the page again: labels belong to what they were given for.',
        );
      }
      const { judgements } = await found.judged();
      const key = labelledKey(label);
      const thing = judgements.find((one) => labelledKey(one) === key);
      if (thing === undefined) throw refusal(404, 'The run has no such thing to label.');
      const writer = openLabels(found.run.folder, scoring);
      try {
        writer.add(label);
      } finally {
        writer.close();
      }
      const kind = kindOf(label);
      const labelled = [...ownLabels(found, label.by).values()].filter((one) => isSame(kindOf(one), kind)).length;
      return { labelled, judge: label.label === null ? null : judgeSays(thing) };
    },
    'GET /runs/:run/calibration': async ({ run, query }) => {
      const found = await opened(run);
      return calibrate(await found.judged(), labelsOf(found), { criterion: query.criterion });
    },
  } satisfies Partial<Handlers>;
}

function labelsOf({ run }: RememberedRun): readonly Label[] {
  return currentLabels(readLabels(run.folder, run.info.scoring));
}

/** Returns one person's labels, keyed by the item that each belongs to. */
function ownLabels(found: RememberedRun, by: string): ReadonlyMap<string, Label> {
  return new Map(labelsOf(found).flatMap((label) => (label.by === by ? [[labelledKey(label), label]] : [])));
}

function isSame(a: ReturnType<typeof kindOf>, b: ReturnType<typeof kindOf>): boolean {
  return a.criterion === b.criterion && a.rubric === b.rubric && a.unit === b.unit;
}

interface Sheet {
  readonly run: RememberedRun['run'];
  readonly things: readonly Judgement[];
  readonly draw: Draw;
  readonly own: ReadonlyMap<string, Label>;
}

async function shown({ run, things, draw, own }: Sheet, at: number): Promise<ThingToLabel> {
  const thing = things[at] as Judgement;
  const one = await run.case(thing);
  if (one === undefined) throw refusal(404, `The run has no case "${thing.caseId}" in the set "${thing.setId}".`);
  const label = own.get(labelledKey(thing));
  return {
    about: labelledOf(thing),
    scoring: run.info.scoring,
    at,
    drawn: draw,
    of: things.length,
    labelled: things.filter((other) => own.has(labelledKey(other))).length,
    question: questionOf(one, thing, run.sets.find(({ id }) => id === thing.setId)?.criteria ?? []),
    turns: turnsOf(one, thing),
    own: label === undefined ? null : { label: label.label, reason: label.reason },
    judge: label === undefined ? null : judgeSays(thing),
  };
}

function turnsOf({ evalCase, inferences }: RunCase, { repeat, turn }: Judgement): readonly LabelTurn[] {
  const actual = inferences.find(({ key }) => key.repeat === repeat)?.inference.invocations ?? [];
  const expected = evalCase.conversation ?? [];
  const length = turn === null ? Math.max(actual.length, expected.length) : turn + 1;
  return Array.from({ length }, (_, place) => ({
    actual: actual[place] ?? null,
    expected: expected[place] ?? null,
  }));
}

function judgeSays({ passed, reason }: Judgement): JudgeSays | null {
  return passed === null ? null : { verdict: passed ? 'pass' : 'fail', reason };
}

function labelOf(field: (name: keyof NewLabel) => unknown): { readonly label: Label; readonly scoring: number } {
  const wrong = (name: keyof NewLabel, msg: string) => mistake(['body', name], msg);
  const text = (name: keyof NewLabel): string => {
    const value = field(name);
    if (typeof value === 'string') return value;
    throw wrong(name, 'This must be a text.');
  };
  const textOrNull = (name: keyof NewLabel) => (field(name) === null ? null : text(name));
  const count = (name: keyof NewLabel): number => {
    const value = field(name);
    if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
    throw wrong(name, 'This must be a whole number from 0 on.');
  };
  const given = field('label');
  if (given !== 'pass' && given !== 'fail' && given !== null)
    throw wrong('label', 'This must be "pass", "fail" or null.');
  const reason = textOrNull('reason')?.trim() || null;
  if (reason !== null && reason.length > LONGEST_REASON) throw wrong('reason', `At most ${LONGEST_REASON} characters.`);
  const about = {
    setId: text('setId'),
    caseId: text('caseId'),
    repeat: count('repeat'),
    turn: field('turn') === null ? null : count('turn'),
    criterion: textOrNull('criterion'),
    rubric: textOrNull('rubric'),
  };
  const variant = field('variant') === undefined ? {} : { variant: text('variant') };
  const by = personOf(text('by'));
  const draw = field('drawn');
  if (draw !== undefined && !isDraw(draw)) throw wrong('drawn', 'This must be "random" or "by-verdict".');
  const drawn = draw === undefined ? {} : { drawn: draw };
  return {
    label: { ...about, ...variant, label: given, reason, by, at: Date.now(), ...drawn },
    scoring: count('scoring'),
  };
}

function personOf(name: string): string {
  const trimmed = name.trim();
  if (trimmed !== '' && trimmed.length <= LONGEST_NAME) return trimmed;
  throw mistake(['by'], `Say who labels, with 1 to ${LONGEST_NAME} characters.`);
}

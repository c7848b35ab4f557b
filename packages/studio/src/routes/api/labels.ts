import { calibrate, type Judgement, kindOf, kindToLabel, labelKinds, questionOf } from '@agent-criteria/analysis';
import { kindName } from '@agent-criteria/analysis/text';
import { fieldOf } from '@agent-criteria/formats/schema';
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
import { type Context, Hono } from 'hono';
import type { JudgeSays, LabelGiven, LabelSheet, LabelTurn, ThingToLabel } from '../../api.ts';
import { readBody } from '../../http/read-body.ts';
import { refusal } from '../../http/refusal.ts';
import type { RememberedRun } from '../../runs/opened-runs.ts';
import { runFolder } from '../../runs/run-folder.ts';
import type { Studio } from '../../studio.ts';

const LONGEST_NAME = 200;
const LONGEST_REASON = 10_000;

/** What people say of what was judged. The judge's opinion is sent only to those who have labelled the same thing. */
export function labelRoutes(studio: Studio): Hono {
  const opened = async (c: Context): Promise<RememberedRun> => {
    const id = c.req.param('run') ?? '';
    const found = studio.openedRuns.open(await runFolder(studio, id));
    if (found.run.info.scoring === 0) throw refusal(409, `The run ${id} was never judged: there is nothing to label.`);
    return found;
  };
  const named = (c: Context) =>
    personOf(c.req.query('by') ?? labellerName(studio.projectOptions.environment ?? process.env) ?? ANONYMOUS);
  /** All things of the kind that a request asks for, in the order in which they are shown, with what this person said of them. */
  const sheetOf = async (c: Context) => {
    const found = await opened(c);
    const { run } = found;
    const { judgements } = await found.judged();
    const kind = kindToLabel(judgements, c.req.query('criterion') ?? null, c.req.query('rubric') ?? null);
    const asked = c.req.query('draw');
    if (asked !== undefined && !isDraw(asked)) {
      throw refusal(422, [{ type: 'value_error', loc: ['draw'], msg: 'This must be "random" or "by-verdict".' }]);
    }
    const { things, draw } = await found.drawn(kind, asked);
    if (things.length === 0) throw refusal(404, `The run has no verdict by ${kindName(kind)} to label.`);
    return { run, things, draw, own: ownLabels(found, named(c)) };
  };
  return new Hono()
    .get('/runs/:run/labels', async (c) => {
      const found = await opened(c);
      const by = named(c);
      const labels = labelsOf(found);
      const own = labels.filter((label) => label.by === by);
      const kinds = labelKinds(await found.judged()).map((kind) => {
        const { judged, things, ...of } = kind;
        const labelled = own.filter((label) => isSame(kindOf(label), of)).length;
        return { ...kind, name: kindName(kind), labelled };
      });
      const people = [...new Set(labels.map((label) => label.by))].sort();
      return c.json({ by, people, run: found.run.info.id, kinds } satisfies LabelSheet);
    })
    .get('/runs/:run/labels/next', async (c) => {
      const { own, ...sheet } = await sheetOf(c);
      const { things } = sheet;
      const after = Number(c.req.query('after') ?? -1);
      const open = things.flatMap((thing, at) => (own.has(labelledKey(thing)) ? [] : [at]));
      const at = open.find((place) => place > after) ?? open[0];
      return c.json(at === undefined ? null : await shown(sheet, at, own));
    })
    .get('/runs/:run/labels/things/:at', async (c) => {
      const { own, ...sheet } = await sheetOf(c);
      const { things } = sheet;
      const at = Number(c.req.param('at'));
      if (things[at] === undefined) throw refusal(404, `There are only ${things.length} things to label.`);
      return c.json(await shown(sheet, at, own));
    })
    .post('/runs/:run/labels', async (c) => {
      const found = await opened(c);
      const { label, scoring } = labelOf(await readBody(c));
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
      return c.json({ labelled, judge: label.label === null ? null : judgeSays(thing) } satisfies LabelGiven);
    })
    .get('/runs/:run/calibration', async (c) => {
      const found = await opened(c);
      return c.json(calibrate(await found.judged(), labelsOf(found), { criterion: c.req.query('criterion') }));
    });
}

function labelsOf({ run }: RememberedRun): readonly Label[] {
  return currentLabels(readLabels(run.folder, run.info.scoring));
}

/** Of one person, by what they are about. */
function ownLabels(found: RememberedRun, by: string): ReadonlyMap<string, Label> {
  return new Map(labelsOf(found).flatMap((label) => (label.by === by ? [[labelledKey(label), label]] : [])));
}

function isSame(a: ReturnType<typeof kindOf>, b: ReturnType<typeof kindOf>): boolean {
  return a.criterion === b.criterion && a.rubric === b.rubric && a.unit === b.unit;
}

async function shown(
  {
    run,
    things,
    draw,
  }: { readonly run: RememberedRun['run']; readonly things: readonly Judgement[]; readonly draw: Draw },
  at: number,
  own: ReadonlyMap<string, Label>,
): Promise<ThingToLabel> {
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

/** A label as a request gives it. @throws A refusal, 422. */
function labelOf(body: unknown): { readonly label: Label; readonly scoring: number } {
  const wrong = (name: string, msg: string) => refusal(422, [{ type: 'value_error', loc: ['body', name], msg }]);
  const text = (name: string): string => {
    const value = fieldOf(body, name);
    if (typeof value === 'string') return value;
    throw wrong(name, 'This must be a text.');
  };
  const textOrNull = (name: string) => (fieldOf(body, name) === null ? null : text(name));
  const count = (name: string): number => {
    const value = fieldOf(body, name);
    if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
    throw wrong(name, 'This must be a whole number from 0 on.');
  };
  const given = fieldOf(body, 'label');
  if (given !== 'pass' && given !== 'fail' && given !== null)
    throw wrong('label', 'This must be "pass", "fail" or null.');
  const reason = textOrNull('reason')?.trim() || null;
  if (reason !== null && reason.length > LONGEST_REASON) throw wrong('reason', `At most ${LONGEST_REASON} characters.`);
  const about = {
    setId: text('setId'),
    caseId: text('caseId'),
    repeat: count('repeat'),
    turn: fieldOf(body, 'turn') === null ? null : count('turn'),
    criterion: textOrNull('criterion'),
    rubric: textOrNull('rubric'),
  };
  const variant = fieldOf(body, 'variant') === undefined ? {} : { variant: text('variant') };
  const by = personOf(text('by'));
  const draw = fieldOf(body, 'drawn');
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
  throw refusal(422, [
    { type: 'value_error', loc: ['by'], msg: `Say who labels, with 1 to ${LONGEST_NAME} characters.` },
  ]);
}

import { CriteriaError, type EvalCase, type Problem } from '@agent-criteria/formats';
import type { Criterion } from '../contracts/criterion.ts';
import type { Score, ScorePart } from '../contracts/score.ts';
import { createRegistry } from '../registry/registry.ts';
import { FROZEN_HINT } from '../scoring/frozen-copy.ts';
import { namesKind } from '../scoring/is-evidence.ts';
import { scoreUnit } from '../scoring/score-unit.ts';
import { inference as buildInference, unit } from './builders.ts';
import type { ConformanceOptions, CriterionExample } from './example.ts';
import { checkFailingCalls } from './failing-calls.ts';
import { assert, isSame, outcomeOf, planFor, scoreExample, type WrapTools } from './score-example.ts';

/**
 * Checks the rules that `testCriterion` enforces.
 * @throws CriteriaError listing every broken rule.
 */
export async function checkConformance(
  criterion: Criterion,
  { examples, badOptions = [] }: ConformanceOptions,
): Promise<void> {
  const broken: Problem[] = [];
  const rule = async (name: string, check: () => void | Promise<void>): Promise<void> => {
    try {
      await check();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      broken.push({ code: 'INVALID_PLUGIN', path: name, message });
    }
  };

  await rule('registers', () => void createRegistry([criterion]));
  await rule('has examples', () =>
    assert(examples.length > 0, 'add at least one example: without one, nothing is tested'),
  );
  await rule('describes itself', () =>
    assert(criterion.description.trim().length > 10, 'say in one sentence what a good score means'),
  );
  if (typeof criterion.aggregate === 'function')
    await rule('aggregate never improves when an input worsens', () => monotone(criterion));

  for (const example of examples) {
    const place = (name: string): string => `${example.name}: ${name}`;
    await rule(place('gives the expected scores'), async () => {
      const scores = await scoreExample(criterion, example);
      const found = scores.map((score) => outcomeOf(score, criterion));
      assert(
        isSame(found, example.scores),
        `expected ${JSON.stringify(example.scores)}, found ${JSON.stringify(found)}${reasons(scores)}`,
      );
      for (const score of scores) assert(!lacksReason(score), 'a score without a number must give its reason');
    });
    await rule(place('gives the same scores again'), async () => {
      const [first, second] = [await scoreExample(criterion, example), await scoreExample(criterion, example)];
      assert(isSame(first, second), 'two evaluations of the same input differ');
    });
    await rule(place('gives evidence as its kinds have it'), async () => {
      for (const kind of (await scoreExample(criterion, example)).flatMap(brokenEvidence)) {
        throw new Error(
          `evidence of the kind "${kind}" lacks what reports need of it, or has it twice; they show it as JSON`,
        );
      }
    });
    await rule(place('leaves its inputs alone'), async () => {
      const scores = await scoreExample(criterion, example);
      assert(!scores.some(({ reason }) => reason?.endsWith(FROZEN_HINT)), `tried to change its input. ${FROZEN_HINT}`);
    });
    await rule(place('refuses an unknown option'), () =>
      refuses(criterion, example, { ...example.options, notAnOptionOfAnyone: 1 }),
    );
    await rule(
      place('works in compat mode'),
      async () => void (await scoreExample(criterion, { ...example, compat: 'adk' })),
    );
    await rule(place('ends when the run aborts'), () => endsOnAbort(criterion, example));
    await checkFailingCalls(criterion, example, (name, check) => rule(place(name), check));
  }
  const [first] = examples;
  if (first !== undefined) {
    for (const options of badOptions) {
      await rule(`refuses ${JSON.stringify(options)}`, () => refuses(criterion, first, options));
    }
    if (criterion.needs?.reference !== undefined && criterion.scope === 'turn') {
      await rule('without a reference it is not applicable', () => withoutReference(criterion, first));
    }
  }
  if (broken.length > 0) throw new CriteriaError(broken);
}

function refuses(criterion: Criterion, example: CriterionExample, options: Readonly<Record<string, unknown>>): void {
  try {
    planFor(criterion, example, options);
  } catch (error) {
    if (CriteriaError.is(error)) return;
    throw error;
  }
  throw new Error(`the options ${JSON.stringify(options)} were accepted`);
}

async function endsOnAbort(criterion: Criterion, example: CriterionExample): Promise<void> {
  const controller = new AbortController();
  const never: WrapTools = (_turn, tools) => ({
    ...tools,
    model: (name) => ({ id: name, generate: (_request, signal) => untilAbort(signal) }),
    call: (_ask, _send) => untilAbort(tools.signal),
  });
  const running = scoreExample(criterion, example, never, controller.signal).catch(() => undefined);
  await Promise.resolve();
  controller.abort(new Error('the run was aborted'));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'late'>((settle) => {
    timer = setTimeout(() => settle('late'), 2000);
  });
  const first = await Promise.race([running, late]);
  clearTimeout(timer);
  assert(first !== 'late', 'did not end within two seconds of an abort: pass the signal on to every call');
}

function untilAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Checks the same conversation as a simulated one, whose case has no reference. */
async function withoutReference(criterion: Criterion, example: CriterionExample): Promise<void> {
  const { conversation: _reference, ...rest } = example.evalCase;
  const evalCase: EvalCase = {
    ...rest,
    conversationScenario: { startingPrompt: 'Hello', conversationPlan: 'Say goodbye.' },
  };
  const plan = planFor(criterion, example, example.options);
  const turns = example.inference.invocations.length > 0 ? example.inference : buildInference([{ answer: 'Hello' }]);
  const scored = await scoreUnit(plan, unit({ ...evalCase, evalId: 'without-reference' }), turns);
  for (const found of scored.criteria[0]?.scores ?? []) {
    const outcome = outcomeOf(found, criterion);
    assert(
      outcome === 'not-applicable',
      `a turn without a reference must be not-applicable, found ${JSON.stringify(outcome)}`,
    );
  }
}

/**
 * Checks on a grid of inputs that the aggregate never improves when a value gets worse or the worst value is added.
 */
function monotone(criterion: Criterion): void {
  const { aggregate, range } = criterion;
  if (typeof aggregate !== 'function') return;
  const top = range.max ?? range.min + 10;
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => range.min + share * (top - range.min));
  const worst = range.better === 'higher' ? range.min : top;
  const better = (a: number, b: number): boolean => (range.better === 'higher' ? a > b : a < b);
  const notBetter = (before: readonly number[], after: readonly number[]): void => {
    const [first, second] = [aggregate(before), aggregate(after)];
    assert(!better(second, first), `aggregate([${before}]) is ${first}, and aggregate([${after}]) is ${second}`);
  };
  for (const a of grid) {
    for (const b of grid) {
      notBetter([a, b], [a, b, worst]);
      for (const c of grid) {
        for (const worse of grid.filter((value) => better(b, value))) notBetter([a, b, c], [a, worse, c]);
      }
    }
  }
}

/** Lists the kinds of invalid evidence in a score and its parts, which core has converted to `json` evidence. */
function brokenEvidence(score: Score | ScorePart): readonly string[] {
  const own = (score.evidence ?? []).flatMap((one) =>
    one.kind === 'json' && one.label === undefined && namesKind(one.value) ? [one.value.kind] : [],
  );
  return 'parts' in score ? [...own, ...score.parts.flatMap(brokenEvidence)] : own;
}

function lacksReason(score: Score): boolean {
  return 'value' in score && score.value === null && (score.reason ?? '') === '';
}

function reasons(scores: readonly Score[]): string {
  const given = scores.flatMap((score) => (score.reason === undefined ? [] : [score.reason]));
  return given.length === 0 ? '' : ` (${given.join('; ')})`;
}

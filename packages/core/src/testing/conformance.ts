import { CriteriaError, type EvalCase, type Problem } from '@agent-criteria/formats';
import type { Criterion } from '../contracts/criterion.ts';
import type { ModelAnswer } from '../contracts/language-model.ts';
import type { Missing, Score, ScorePart } from '../contracts/score.ts';
import type { Tools } from '../contracts/tools.ts';
import { createRegistry } from '../registry/registry.ts';
import type { Plan } from '../resolve/plan.ts';
import { resolveEvalConfig } from '../resolve/resolve-eval-config.ts';
import { ends, scoreBounds } from '../scoring/bounds.ts';
import { FROZEN_HINT } from '../scoring/frozen-copy.ts';
import { namesKind } from '../scoring/is-evidence.ts';
import { contradictsItself } from '../scoring/sanitise-score.ts';
import { type CriterionScores, scoreUnit } from '../scoring/score-unit.ts';
import { inference as buildInference, evalSet, unit } from './builders.ts';
import type { ConformanceOptions, CriterionExample } from './test-criterion.ts';

/** The rules of `testCriterion`. */
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
      const scores = await run(criterion, example);
      const found = scores.map((score) => outcome(score, criterion));
      assert(
        same(found, example.scores),
        `expected ${JSON.stringify(example.scores)}, found ${JSON.stringify(found)}${reasons(scores)}`,
      );
      for (const score of scores) assert(!lacksReason(score), 'a score without a number must give its reason');
    });
    await rule(place('gives the same scores again'), async () => {
      const [first, second] = [await run(criterion, example), await run(criterion, example)];
      assert(same(first, second), 'two evaluations of the same input differ');
    });
    await rule(place('gives evidence as its kinds have it'), async () => {
      for (const kind of (await run(criterion, example)).flatMap(brokenEvidence)) {
        throw new Error(
          `evidence of the kind "${kind}" lacks what reports need of it, or has it twice; they show it as JSON`,
        );
      }
    });
    await rule(place('leaves its inputs alone'), async () => {
      const scores = await run(criterion, example);
      assert(!scores.some(({ reason }) => reason?.endsWith(FROZEN_HINT)), `tried to change its input. ${FROZEN_HINT}`);
    });
    await rule(place('refuses an unknown option'), () =>
      refuses(criterion, example, { ...example.options, notAnOptionOfAnyone: 1 }),
    );
    await rule(place('works in compat mode'), async () => void (await run(criterion, { ...example, compat: 'adk' })));
    await rule(place('ends when the run aborts'), () => endsOnAbort(criterion, example));
    await failures(criterion, example, (name, check) => rule(place(name), check));
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

async function run(criterion: Criterion, example: CriterionExample, wrap?: Wrap): Promise<readonly Score[]> {
  const scored = await score(criterion, example, { wrap });
  return scored.scores;
}

type Wrap = (turn: number | null, tools: Tools) => Tools;
async function score(
  criterion: Criterion,
  example: CriterionExample,
  { wrap, signal }: { wrap?: Wrap; signal?: AbortSignal } = {},
): Promise<CriterionScores> {
  const plan = resolve(criterion, example, example.options);
  const options = JSON.stringify(plan.criteria[0]?.options);
  const scored = await scoreUnit(plan, unit(example.evalCase), example.inference, {
    signal,
    tools: (bound, plain) => {
      const answered: Tools = example.answer === undefined ? plain : answering(plain, example.answer.bind(example));
      return wrap?.(bound.turn, answered) ?? answered;
    },
  });
  assert(
    JSON.stringify(plan.criteria[0]?.options) === options,
    'changed its options: the next turn and case see them too',
  );
  const [only] = scored.criteria;
  assert(only !== undefined, 'nothing was scored: the inference of an example must not end in an error');
  const contradiction = only.scores.find(contradictsItself);
  assert(
    contradiction === undefined,
    `gave both a result and \`missing\`: return { value: null, missing, reason } where nothing could be judged`,
  );
  // What a criterion says must survive a file.
  assert(same(only, JSON.parse(JSON.stringify(only))), 'a score is not plain JSON');
  return only;
}

function resolve(
  criterion: Criterion,
  example: CriterionExample,
  options: Readonly<Record<string, unknown>> = {},
): Plan {
  const models = example.models?.() ?? {};
  const { best } = ends(criterion.range);
  const threshold = Number.isFinite(best) ? best : criterion.range.min;
  return resolveEvalConfig({
    evalSet: evalSet([example.evalCase]),
    config: { criteria: { [criterion.name]: criterion.decides ? { threshold, ...options } : { ...options } } },
    registry: createRegistry([criterion]),
    models: (name) => models[name],
    environment: example.environment ?? {},
    compat: example.compat ?? null,
    scoringOnly: true,
  });
}

function answering(tools: Tools, answer: (service: string, request: unknown) => unknown): Tools {
  return {
    ...tools,
    async call<Request, Answer>(ask: { service: string; request: Request }) {
      return { answer: (await answer(ask.service, ask.request)) as Answer, from: 'live' as const };
    },
  };
}

function refuses(criterion: Criterion, example: CriterionExample, options: Readonly<Record<string, unknown>>): void {
  try {
    resolve(criterion, example, options);
  } catch (error) {
    if (CriteriaError.is(error)) return;
    throw error;
  }
  throw new Error(`the options ${JSON.stringify(options)} were accepted`);
}

/** The ways in which a model or a service can fail to give an opinion. */
const FAILURES: Readonly<Record<string, ModelAnswer | Error | ((answer: ModelAnswer) => ModelAnswer)>> = {
  'is unreachable': new Error('connection refused'),
  'says nothing': { text: '', finish: 'stop', usage: {}, from: 'live' },
  'is cut off': { text: '{"', finish: 'length', usage: {}, from: 'live' },
  'is blocked': { text: '', finish: 'blocked', usage: {}, from: 'live' },
  'is cut off behind a readable opinion': (answer) => ({ ...answer, finish: 'length' }),
  'is blocked behind a readable opinion': (answer) => ({ ...answer, finish: 'blocked' }),
  'talks nonsense': { text: 'The moon is made of cheese.', finish: 'stop', usage: {}, from: 'live' },
};

/** Lets every call fail, in every way: a turn that asked must become could-not-judge, one that did not must not change. */
async function failures(
  criterion: Criterion,
  example: CriterionExample,
  rule: (name: string, check: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const asked = new Map<number | null, Asked>();
  let normal: readonly Score[];
  try {
    normal = await run(criterion, example, (turn, tools) => {
      const own: Asked = { calls: 0, models: new Set(), requests: [] };
      asked.set(turn, own);
      return watching(tools, own);
    });
  } catch {
    return; // The first rule has told.
  }
  const most = Math.max(0, ...[...asked.values()].map((own) => own.calls));
  if (most === 0) return;
  await rule('names its models and asks for every sample once', async () => checkAsked(criterion, example, asked));
  const turnOf = (index: number): number | null => (criterion.scope === 'turn' ? index : null);
  const coverage = (found: Score): number | undefined => scoreBounds(found, criterion.range)?.coverage;
  for (const [name, failure] of Object.entries(FAILURES)) {
    await rule(`cannot judge when the model ${name}`, async () => {
      const scores = await run(criterion, example, (_turn, tools) => failing(tools, failure));
      for (const [index, found] of scores.entries()) {
        const before = normal[index];
        if ((asked.get(turnOf(index))?.calls ?? 0) > 0) {
          const covered = coverage(found);
          const wasNothing = before !== undefined && scoreBounds(before, criterion.range) === null;
          assert(
            covered === undefined ? wasNothing : covered < 1,
            `gave ${JSON.stringify(outcome(found, criterion))} all the same`,
          );
        } else {
          assert(same(found, before), 'changed a score that needs no call');
        }
      }
    });
  }
  for (let only = 0; only < Math.min(most, MOST_SINGLE_FAILURES); only++) {
    await rule(`cannot judge, or says the same, when only call ${only + 1} fails`, async () => {
      const scores = await run(criterion, example, (_turn, tools) =>
        failing(tools, new Error('connection refused'), only),
      );
      for (const [index, found] of scores.entries()) {
        const before = normal[index];
        const unchanged = before !== undefined && outcome(found, criterion) === outcome(before, criterion);
        assert(
          unchanged || (coverage(found) ?? 1) < 1,
          `said ${JSON.stringify(before && outcome(before, criterion))} with all calls and ${JSON.stringify(outcome(found, criterion))} without one: a failed call must not be left out of a vote or a mean`,
        );
      }
    });
  }
}

/** More calls of one turn than these are more of the same. */
const MOST_SINGLE_FAILURES = 8;

interface Asked {
  calls: number;
  readonly models: Set<string>;
  readonly requests: string[];
}

function checkAsked(criterion: Criterion, example: CriterionExample, asked: ReadonlyMap<number | null, Asked>): void {
  const [planned] = resolve(criterion, example, example.options).criteria;
  const named = planned === undefined ? [] : (criterion.models?.(planned.options) ?? []);
  for (const { models, requests } of asked.values()) {
    const unnamed = [...models].filter((name) => !named.includes(name));
    assert(
      unnamed.length === 0,
      `asks the model ${unnamed.join(', ')}, which models() does not list: a run cannot check in advance that it is there`,
    );
    assert(
      new Set(requests).size === requests.length,
      'asks the very same request twice: a cache answers both alike; number the samples',
    );
  }
}

function watching(tools: Tools, asked: Asked): Tools {
  return {
    ...tools,
    model(name) {
      const model = tools.model(name);
      asked.models.add(name);
      return {
        id: model.id,
        generate(request, signal) {
          asked.calls += 1;
          asked.requests.push(JSON.stringify([name, request]));
          return model.generate(request, signal);
        },
      };
    },
    call(ask, send) {
      asked.calls += 1;
      asked.requests.push(JSON.stringify(ask));
      return tools.call(ask, send);
    },
  };
}

/** `only`: from 0, the one call that fails; absent, all do. */
function failing(
  tools: Tools,
  failure: ModelAnswer | Error | ((answer: ModelAnswer) => ModelAnswer),
  only?: number,
): Tools {
  let calls = 0;
  const fails = (): boolean => {
    calls += 1;
    return only === undefined || calls - 1 === only;
  };
  return {
    ...tools,
    model: (name) => ({
      id: name,
      async generate(request, signal) {
        if (!fails()) return tools.model(name).generate(request, signal);
        if (failure instanceof Error) throw failure;
        return typeof failure === 'function' ? failure(await tools.model(name).generate(request, signal)) : failure;
      },
    }),
    async call(ask, send) {
      if (!fails()) return tools.call(ask, send);
      throw failure instanceof Error ? failure : new Error('the service did not answer');
    },
  };
}

async function endsOnAbort(criterion: Criterion, example: CriterionExample): Promise<void> {
  const controller = new AbortController();
  const never: Wrap = (_turn, tools) => ({
    ...tools,
    model: (name) => ({ id: name, generate: (_request, signal) => untilAbort(signal) }),
    call: (_ask, _send) => untilAbort(tools.signal),
  });
  const running = score(criterion, example, { wrap: never, signal: controller.signal }).catch(() => undefined);
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

/** The same conversation where the case says nothing of any turn, as a simulated one. */
async function withoutReference(criterion: Criterion, example: CriterionExample): Promise<void> {
  const { conversation: _reference, ...rest } = example.evalCase;
  const evalCase: EvalCase = {
    ...rest,
    conversationScenario: { startingPrompt: 'Hello', conversationPlan: 'Say goodbye.' },
  };
  const plan = resolve(criterion, example, example.options);
  const turns = example.inference.invocations.length > 0 ? example.inference : buildInference([{ answer: 'Hello' }]);
  const scored = await scoreUnit(plan, unit({ ...evalCase, evalId: 'without-reference' }), turns);
  for (const found of scored.criteria[0]?.scores ?? []) {
    const said = outcome(found, criterion);
    assert(
      said === 'not-applicable',
      `a turn without a reference must be not-applicable, found ${JSON.stringify(said)}`,
    );
  }
}

/** A grid of inputs, each worsened in one place, or with the worst value added: the aggregate must not come out better. */
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

/** A number, or why there is none. A score with missing parts inside is could-not-judge here: it decides nothing alone. */
function outcome(score: Score, criterion: Criterion): number | Missing {
  const bounds = scoreBounds(score, criterion.range);
  if (bounds === null) return 'not-applicable';
  return bounds.shown === null ? 'could-not-judge' : bounds.shown;
}

/** The kinds of evidence that core could not take as what it says it is, of the score and all its parts. */
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

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

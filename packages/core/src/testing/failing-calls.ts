import type { Criterion } from '../contracts/criterion.ts';
import type { ModelAnswer } from '../contracts/language-model.ts';
import type { Score } from '../contracts/score.ts';
import type { Tools } from '../contracts/tools.ts';
import { scoreBounds } from '../scoring/bounds.ts';
import type { CriterionExample } from './example.ts';
import { assert, isSame, outcomeOf, planFor, scoreExample } from './score-example.ts';

/** Failures of a model or a service that yield no opinion. */
const FAILURES: Readonly<Record<string, ModelAnswer | Error | ((answer: ModelAnswer) => ModelAnswer)>> = {
  'is unreachable': new Error('connection refused'),
  'says nothing': { text: '', finish: 'stop', usage: {}, from: 'live' },
  'is cut off': { text: '{"', finish: 'length', usage: {}, from: 'live' },
  'is blocked': { text: '', finish: 'blocked', usage: {}, from: 'live' },
  'is cut off behind a readable opinion': (answer) => ({ ...answer, finish: 'length' }),
  'is blocked behind a readable opinion': (answer) => ({ ...answer, finish: 'blocked' }),
  'talks nonsense': { text: 'The moon is made of cheese.', finish: 'stop', usage: {}, from: 'live' },
};

/**
 * Makes every call fail in every way. Turns with calls must then not be scored completely; other turns must keep their
 * scores.
 *
 * @param rule Records a broken rule by name.
 */
export async function checkFailingCalls(
  criterion: Criterion,
  example: CriterionExample,
  rule: (name: string, check: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const asked = new Map<number | null, Asked>();
  let normal: readonly Score[];
  try {
    normal = await scoreExample(criterion, example, (turn, tools) => {
      const own: Asked = { calls: 0, models: new Set(), requests: [] };
      asked.set(turn, own);
      return watching(tools, own);
    });
  } catch {
    return; // Already reported by "gives the expected scores".
  }
  const most = Math.max(0, ...[...asked.values()].map((own) => own.calls));
  if (most === 0) return;
  await rule('names its models and asks for every sample once', async () => checkAsked(criterion, example, asked));
  const turnOf = (index: number): number | null => (criterion.scope === 'turn' ? index : null);
  const coverage = (found: Score): number | undefined => scoreBounds(found, criterion.range)?.coverage;
  for (const [name, failure] of Object.entries(FAILURES)) {
    await rule(`cannot judge when the model ${name}`, async () => {
      const scores = await scoreExample(criterion, example, (_turn, tools) => failing(tools, failure));
      for (const [index, found] of scores.entries()) {
        const before = normal[index];
        if ((asked.get(turnOf(index))?.calls ?? 0) > 0) {
          const covered = coverage(found);
          const wasNothing = before !== undefined && scoreBounds(before, criterion.range) === null;
          assert(
            covered === undefined ? wasNothing : covered < 1,
            `gave ${JSON.stringify(outcomeOf(found, criterion))} all the same`,
          );
        } else {
          assert(isSame(found, before), 'changed a score that needs no call');
        }
      }
    });
  }
  for (let only = 0; only < Math.min(most, MOST_SINGLE_FAILURES); only++) {
    await rule(`cannot judge, or says the same, when only call ${only + 1} fails`, async () => {
      const scores = await scoreExample(criterion, example, (_turn, tools) =>
        failing(tools, new Error('connection refused'), only),
      );
      for (const [index, found] of scores.entries()) {
        const before = normal[index];
        const unchanged = before !== undefined && outcomeOf(found, criterion) === outcomeOf(before, criterion);
        assert(
          unchanged || (coverage(found) ?? 1) < 1,
          `said ${JSON.stringify(before && outcomeOf(before, criterion))} with all calls and ${JSON.stringify(outcomeOf(found, criterion))} without one: a failed call must not be left out of a vote or a mean`,
        );
      }
    });
  }
}

/** The maximum number of calls per turn that are made to fail one at a time; more would find nothing new. */
const MOST_SINGLE_FAILURES = 8;

/** The calls made in one turn. */
interface Asked {
  calls: number;
  readonly models: Set<string>;
  readonly requests: string[];
}

function checkAsked(criterion: Criterion, example: CriterionExample, asked: ReadonlyMap<number | null, Asked>): void {
  const [planned] = planFor(criterion, example, example.options).criteria;
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

/** Creates tools whose calls fail: all of them, or only the one with the index `only`, from 0. */
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

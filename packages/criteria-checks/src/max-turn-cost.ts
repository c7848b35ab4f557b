import {
  couldNotJudge,
  defineCriterion,
  didYouMean,
  type OptionsSchema,
  optionsSchema,
  type Score,
} from '@agent-criteria/core';
import { type CountedCall, largestTurn, turnTokens } from './turn-limits.ts';

/** The price of one token of a model, in any currency: the shape of the `prices` setting. */
export interface Price {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Default: the price of uncached input. */
  readonly cachedInputTokens?: number | undefined;
  /** Default: the price of other output. */
  readonly reasoningTokens?: number | undefined;
}

/** The options of `max_turn_cost`. */
export interface TurnCost {
  readonly prices?: Readonly<Record<string, Price>> | undefined;
}

const price = (description: string) => ({ description, type: 'number', minimum: 0 }) as const;

const options: OptionsSchema<TurnCost, TurnCost> = optionsSchema({
  type: 'object',
  properties: {
    prices: {
      description:
        'By model, as the agent names it: what one token costs, in the currency of the threshold. Default: the setting `prices`.',
      'x-setting': 'prices',
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: {
          inputTokens: price('One token of a prompt.'),
          outputTokens: price('One token of an answer.'),
          cachedInputTokens: price('One token of a prompt that the model had cached. Default: `inputTokens`.'),
          reasoningTokens: price('One token of reasoning. Default: `outputTokens`.'),
        },
        required: ['inputTokens', 'outputTokens'],
      },
    },
  },
});

/** `max_turn_cost`: the cost of the most expensive turn, based on the tokens of its model calls. */
export const maxTurnCost = defineCriterion({
  ...largestTurn,
  name: 'max_turn_cost',
  description: 'No turn costs more than the threshold, by the prices of its models.',
  options,
  unmetNeed: (_case, { prices = {} }) =>
    Object.keys(prices).length > 0
      ? null
      : 'neither the config nor the case has "prices" of models, nor has the project',
  evaluate({ actual, index }, { options: { prices = {} }, transcript }): Score {
    const calls = turnTokens(actual, index, transcript);
    if ('unknown' in calls) return couldNotJudge(calls.unknown);
    const nameless = calls.filter(({ model }) => model === null).length;
    if (nameless > 0) return couldNotJudge(`${nameless} of ${calls.length} calls do not name their model`);
    const unpriced = calls.find(({ model }) => !Object.hasOwn(prices, model ?? ''))?.model ?? null;
    if (unpriced !== null) {
      return couldNotJudge(
        `"prices" has no price for the model "${unpriced}"${didYouMean(unpriced, Object.keys(prices))}`,
      );
    }
    const costs = calls.map((call) => ({ model: call.model, cost: costOf(call, prices[call.model ?? '']) }));
    return {
      value: costs.reduce((sum, { cost }) => sum + cost, 0),
      evidence: [{ kind: 'json', label: 'cost by call', value: costs.slice(0, 100) }],
    };
  },
});

function costOf({ tokens }: CountedCall, price: Price | undefined): number {
  if (price === undefined) return 0;
  const { inputTokens, outputTokens, cachedInputTokens = inputTokens, reasoningTokens = outputTokens } = price;
  const input = tokens.input_tokens ?? 0;
  const cached = Math.min(tokens.cached_tokens ?? 0, input);
  return (
    (input - cached) * inputTokens +
    cached * cachedInputTokens +
    (tokens.candidates_tokens ?? 0) * outputTokens +
    (tokens.reasoning_tokens ?? 0) * reasoningTokens
  );
}

import {
  CriteriaError,
  type Criterion,
  type CriterionDefinition,
  defineCriterion,
  type EvaluateContext,
  type JsonSchema,
  namedArguments,
  type OptionsSchema,
  type Score,
  type Transcript,
  type Turn,
} from '@agent-criteria/core';
import { onlyItem, textOf } from './answer-fields.ts';
import { askJudge } from './ask-judge.ts';
import { estimateJudgeCalls } from './estimate-calls.ts';
import type { Material } from './fence.ts';
import { type JudgeOptions, type JudgeOptionsInput, judgeName, withJudgeOptions } from './options.ts';
import { limitFor } from './parallelism.ts';
import { collectSamples, type Opinion, opinionsEvidence, voteScore } from './vote.ts';

/** The words with which a judge gives a positive or a negative verdict. */
export interface JudgeLabels {
  /** The key of the verdict in the judge's answer. Default `verdict`. */
  readonly key?: string | undefined;
  /** Default `yes`. */
  readonly positive: string;
  /** Default `no`. */
  readonly negative: string;
  /** Other accepted words, in lower case. `true` matches both the word and the boolean. Default: none. */
  readonly alsoPositive?: readonly string[] | undefined;
  /** The same for the negative label. */
  readonly alsoNegative?: readonly string[] | undefined;
}

type Head<Name extends string, Input, Options> = Pick<
  CriterionDefinition<Name, Input, Options, true>,
  'name' | 'description' | 'origin' | 'needs' | 'readsAnswer' | 'adk' | 'aggregate'
> & {
  /** The judge's role and rules. The answer format and how to read the material are added. */
  readonly instructions: string;
  /** One yes-or-no question. Yes scores 1, no scores 0. */
  readonly question: string;
  /** The version of the instructions and the question. Change it whenever their wording changes. */
  readonly promptVersion: string;
  readonly labels?: JudgeLabels | undefined;
  /** The criterion's own options, in addition to those of every judge, or `noOptions` if there are none. */
  readonly options: OptionsSchema<Input, Options>;
};

/**
 * The parts of a turn or conversation that the judge sees, by name, as strings (`undefined` parts are omitted), or the
 * reason why the criterion does not apply to it.
 */
export type JudgeMaterial = Readonly<Record<string, string | undefined>> | { readonly notApplicable: string };

/** The second argument of `material`. Accessing any other key throws. */
export interface MaterialContext<Options> {
  readonly transcript: Transcript;
  readonly options: Options & JudgeOptions;
  /** The same as `compat` of the tools. */
  readonly compat: 'adk' | null;
}

const { Named, call } = namedArguments({
  now: 'material(turn, { transcript, options, compat })',
  before: 'material(turn, transcript, options, compat)',
});

class Context<Options> extends Named implements MaterialContext<Options> {
  readonly transcript: Transcript;
  readonly options: Options & JudgeOptions;
  readonly compat: 'adk' | null;

  constructor({ options, tools, transcript }: EvaluateContext<Options & JudgeOptions>) {
    super();
    this.transcript = transcript;
    this.options = options;
    this.compat = tools.compat;
  }
}

/** The argument of `defineJudgeCriterion`. */
export type JudgeCriterionDefinition<Name extends string, Input, Options> = Head<Name, Input, Options> &
  (
    | {
        readonly scope?: 'turn' | undefined;
        material(turn: Turn, context: MaterialContext<Options>): JudgeMaterial;
      }
    | {
        readonly scope: 'conversation';
        material(transcript: Transcript, context: MaterialContext<Options>): JudgeMaterial;
      }
  );

/**
 * Defines a criterion in which a language model answers one question. Collects up to `num_samples` opinions and takes a
 * vote: the score is 1 or 0, with the judge's rationale, or could-not-judge if too many samples give no opinion.
 */
export function defineJudgeCriterion<const Name extends string, Input, Options>(
  definition: JudgeCriterionDefinition<Name, Input, Options>,
): Criterion<Name, Input & JudgeOptionsInput, Options & JudgeOptions, true> {
  const { name, description, origin, needs, readsAnswer, adk, aggregate, promptVersion, question } = definition;
  const { key = 'verdict', positive, negative, alsoPositive = [], alsoNegative = [] } = definition.labels ?? yesOrNo;
  const labels: Labels = { key, positive, negative, alsoPositive, alsoNegative };
  checkMaterial(definition);
  checkLabels(labels, name);
  const promptId = `${name}/${promptVersion}`;
  const instructions = `${definition.instructions.trim()}\n\n${formOf(labels)}`;
  const schema = schemaOf(labels);

  async function evaluate(
    subject: Turn | Transcript,
    context: EvaluateContext<Options & JudgeOptions>,
  ): Promise<Score> {
    const show: (...given: never[]) => JudgeMaterial = definition.material;
    const shown = call(show, definition, subject, new Context(context));
    const { options, tools, transcript } = context;
    if (isNotApplicable(shown)) return { value: null, missing: 'not-applicable', reason: shown.notApplicable };
    const material = Object.entries(shown).flatMap(([title, text]): Material[] =>
      text === undefined ? [] : [{ name: title, text }],
    );
    const { numSamples, parallelismLimit } = options.judgeModelOptions;
    const limit = limitFor(transcript, parallelismLimit);
    const prompt = { id: promptId, instructions, material, question, schema };
    const ask = async (sample: number) => {
      const read = (value: unknown) => readVerdict(value, labels);
      const answer = await limit(() =>
        askJudge({ prompt, read, options, tools, sample, verdictOf: ({ label }) => label }),
      );
      if (!('value' in answer)) return { ...answer, opinions: new Map<string, Opinion>() };
      return { ...answer, opinions: new Map([[name, answer.value]]) };
    };
    const samples = await collectSamples(numSamples, [name], ask, tools.compat === null);
    const score = voteScore(samples, name, numSamples, tools.compat);
    return { ...score, evidence: [...(score.evidence ?? []), opinionsEvidence(samples, [{ id: name }], promptId)] };
  }

  const options = withJudgeOptions(definition.options);
  const common = {
    name,
    description,
    origin,
    options,
    decides: true as const,
    range: { min: 0, max: 1, better: 'higher' as const },
    needs,
    readsAnswer,
    adk,
    aggregate,
    models: (own: Options & JudgeOptions) => [judgeName(own)],
    modelSettings: (own: Options & JudgeOptions) => own.judgeModelOptions.judgeModelConfig,
  };
  if (definition.scope === 'conversation') {
    return defineCriterion({
      ...common,
      scope: 'conversation',
      estimate: (unit, _turns, own) => estimateJudgeCalls(unit, 1, own, instructions),
      evaluate,
    });
  }
  return defineCriterion({
    ...common,
    scope: 'turn',
    estimate: (unit, turns, own) => estimateJudgeCalls(unit, turns, own, instructions),
    evaluate,
  });
}

type Labels = { readonly [K in keyof JudgeLabels]-?: NonNullable<JudgeLabels[K]> };

const yesOrNo: JudgeLabels = { positive: 'yes', negative: 'no' };

/** Rejects definitions from packages built for an older version of this one, where `material` had a different name. */
function checkMaterial(definition: { readonly name: string; readonly material?: unknown }): void {
  if (typeof definition.material === 'function') return;
  const change = 'show' in definition ? '; `show` is now `material`: install a newer version of its package' : '';
  throw new CriteriaError({
    code: 'INVALID_PLUGIN',
    message: `the judge criterion "${definition.name}" has no material method${change}`,
  });
}

/** Checks that the labels differ from each other, and that the verdict and the reasoning have different keys. */
function checkLabels({ key, positive, negative, alsoPositive, alsoNegative }: Labels, name: string): void {
  const yes = new Set([positive, ...alsoPositive].map(wordOf));
  const no = new Set([negative, ...alsoNegative].map(wordOf));
  if (key !== 'reasoning' && ![...yes].some((word) => no.has(word)) && !yes.has('') && !no.has('')) return;
  throw new CriteriaError({
    code: 'INVALID_PLUGIN',
    message: `the labels of criterion "${name}" cannot be told apart: choose different words, and a key other than "reasoning"`,
  });
}

function isNotApplicable(shown: JudgeMaterial): shown is { readonly notApplicable: string } {
  return shown.notApplicable !== undefined;
}

function formOf({ key, positive, negative }: Labels): string {
  return `How to answer

Answer with one JSON object and nothing else. It has two keys, in this order: "reasoning", one to three sentences on what decided your verdict; and "${key}", which is either "${positive}" or "${negative}".`;
}

function schemaOf({ key, positive, negative }: Labels): JsonSchema {
  return {
    type: 'object',
    properties: { reasoning: { type: 'string' }, [key]: { type: 'string', enum: [positive, negative] } },
    required: ['reasoning', key],
    additionalProperties: false,
  };
}

/** Reads a verdict, ignoring case, surrounding white space, a final full stop and a single-item list around it. */
function readVerdict(value: unknown, labels: Labels): Opinion | undefined {
  const { key, positive, negative, alsoPositive, alsoNegative } = labels;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  const { reasoning, [key]: said } = value as Record<string, unknown>;
  const only = onlyItem(said);
  const label = typeof only === 'string' || typeof only === 'boolean' ? wordOf(String(only)) : '';
  const isPositive = label === wordOf(positive) || alsoPositive.includes(label);
  if (!isPositive && label !== wordOf(negative) && !alsoNegative.includes(label)) return undefined;
  return {
    positive: isPositive,
    label: isPositive ? positive : negative,
    ...(textOf(reasoning) === '' ? {} : { rationale: textOf(reasoning) }),
  };
}

function wordOf(label: string): string {
  return label.trim().replace(/\.$/, '').toLowerCase();
}

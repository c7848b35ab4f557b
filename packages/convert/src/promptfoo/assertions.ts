import type { Json } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { compilePattern } from '@agent-criteria/values';
import type { Options } from '../criteria/case-criteria.ts';
import type { Conversions } from '../criteria/conversions.ts';
import { literalPattern, wholePattern } from '../criteria/literal-pattern.ts';
import type { CaseCriteriaBuilder } from '../criteria/open-case-criteria.ts';
import { type Fields, objectsIn } from '../fields.ts';
import { jsonIn } from '../json-in.ts';
import { fillTemplate, textOf } from '../templates/fill-template.ts';
import type { FileReferences } from './file-references.ts';
import { judgeName } from './judge-name.ts';
import { varAt } from './var-at.ts';

/** All that the assertions of one test share. */
export interface AssertionContext {
  readonly vars: Fields;
  /** The model that judges where an assertion names none. */
  readonly provider: unknown;
  readonly files: FileReferences;
  readonly to: CaseCriteriaBuilder;
  readonly conversions: Conversions;
  readonly hasPrices: boolean;
  readonly lose: (what: string) => void;
}

/** Types whose value is code, or is sent somewhere. */
const CODE = ['javascript', 'python', 'ruby', 'webhook'];

/** Sets in sets deeper than this are not read, because the file may be hostile. */
const DEEPEST = 5;

/** Adds the criteria that the assertions of a test become to its case. No code of an assertion is run. */
export async function addAssertions(written: unknown, context: AssertionContext, depth = 0): Promise<void> {
  const { lose, to, conversions } = context;
  for (const one of await listed(written, context)) {
    if (one.type === 'assert-set') {
      if (typeof one.threshold === 'number' && one.threshold < 1) {
        lose('sets of assertions of which some may fail ("threshold"), not converted');
      } else if (depth >= DEEPEST) lose('sets of assertions in sets, left out');
      else await addAssertions(one.assert, context, depth + 1);
      continue;
    }
    const type = String(one.type).slice(0, 60);
    if (one.weight === 0) lose(`assertions of the type "${type}" with the weight 0, which never fail, left out`);
    else await addAssertion(one, type, context);
  }

  /** Adds one assertion, or lists why it cannot be added. */
  async function addAssertion(
    assertion: Fields,
    type: string,
    { vars, files, provider }: AssertionContext,
  ): Promise<void> {
    const isNot = type.startsWith('not-');
    const base = isNot ? type.slice('not-'.length) : type;
    const notConverted = (why: string): void => lose(`assertions of the type "${type}", not converted: ${why}`);
    if (CODE.includes(base))
      return notConverted('code of a file is never run, and nothing is sent; write a criterion instead');
    if (assertion.transform !== undefined || assertion.contextTransform !== undefined) {
      return notConverted('a transform is code, which is never run');
    }
    const value = await givenValue(assertion.value);
    if ('problem' in value) return notConverted(value.problem);
    if (typeof assertion.weight === 'number' && assertion.weight !== 1) {
      lose('weights of assertions, left out: all of them have to pass');
    }
    const problem = add(value.value);
    if (problem !== null) notConverted(problem);

    /** @returns why the assertion cannot be added, or `null`. */
    function add(given: unknown): string | null {
      const { text } = to;
      const checks = (option: string, difference: string | null = null): null => {
        conversions.add(type, `response_checks (${option})`, difference);
        return null;
      };
      const ignoreCase = base.startsWith('i') && base !== 'is-json';
      const one =
        typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean' ? String(given) : null;
      switch (base) {
        case 'equals':
          return equals(given);
        case 'contains':
        case 'icontains':
          if (one === null || one === '') return NO_TEXT;
          if (isNot) text.excludes(one, ignoreCase);
          else text.contains(one, ignoreCase);
          return checks(`${isNot ? 'excludes' : 'contains'}${ignoreCase ? ', ignore_case' : ''}`);
        case 'contains-all':
        case 'contains-any':
        case 'icontains-all':
        case 'icontains-any': {
          const all = textsIn(given);
          if (all === null) return NO_TEXT;
          const isAny = base.endsWith('any');
          if (isNot && !isAny) return 'there is no check that one of several texts is absent';
          if (isNot) for (const each of all) text.excludes(each, ignoreCase);
          else if (isAny) text.containsAny(all, ignoreCase);
          else for (const each of all) text.contains(each, ignoreCase);
          const option = isNot ? 'excludes' : isAny ? 'contains_any' : 'contains';
          return checks(`${option}${ignoreCase ? ', ignore_case' : ''}`);
        }
        case 'starts-with':
          if (one === null || one === '') return NO_TEXT;
          return pattern(`\\A${literalPattern(one)}`);
        case 'regex':
          return one === null || one === '' ? NO_TEXT : pattern(one);
        case 'is-json':
          return json(given);
        case 'word-count':
          return words(given);
        case 'rouge-n':
          if (isNot) return 'there is no criterion that a score is low';
          return similar(
            one,
            'response_match_score',
            { type: 'rouge1', language: 'none' },
            'words are split as ADK does, so scores can differ',
          );
        case 'factuality':
        case 'model-graded-factuality':
          if (isNot) return 'there is no criterion that facts differ';
          askJudge();
          return similar(
            one,
            'final_response_match_v2',
            { threshold: 1 },
            'the answer has to mean the same, and may not say less',
          );
        case 'llm-rubric':
        case 'model-graded-closedqa':
        case 'g-eval':
          return rubric(given);
        case 'latency': {
          if (isNot) return 'there is no criterion that an answer is slow';
          const limit = Number(assertion.threshold ?? (one === null || one === '' ? Number.NaN : one));
          if (!(limit > 0)) return 'it has no "threshold"';
          if (!to.entry('max_turn_seconds', { threshold: limit / 1000 })) return ANOTHER;
          conversions.add(type, 'max_turn_seconds', 'the time of the whole turn, in seconds');
          return null;
        }
        case 'cost': {
          if (isNot) return 'there is no criterion that an answer is expensive';
          const limit = Number(assertion.threshold ?? Number.NaN);
          if (!(limit >= 0)) return 'it has no "threshold"';
          if (!context.hasPrices)
            return 'the project has no prices of models: add them to its config, or write max_turn_cost with "prices"';
          if (!to.entry('max_turn_cost', { threshold: limit })) return ANOTHER;
          conversions.add(type, 'max_turn_cost', 'by the prices of the project');
          return null;
        }
        case 'skill-used':
        case 'trajectory:tool-used':
          return used(given);
        default:
          return 'there is no criterion for it';
      }
    }

    function equals(given: unknown): string | null {
      if (isObject(given) || Array.isArray(given)) {
        if (isNot) return 'there is no check that JSON differs';
        to.text.schema({ const: given as Json });
        conversions.add(type, 'response_checks (json_schema)');
        return null;
      }
      const wanted = given === undefined || given === null ? '' : String(given);
      if (isNot) {
        to.text.matchesNone(wholePattern(wanted));
        conversions.add(type, 'response_checks (matches_none)');
        return null;
      }
      if (wanted.trim() === '') return NO_TEXT;
      to.text.equals(wanted);
      conversions.add(type, 'response_checks (equals)', 'white space at both ends is ignored');
      return null;
    }

    function pattern(written: string): string | null {
      try {
        compilePattern(written);
      } catch (error) {
        return `the pattern ${written.slice(0, 60)} cannot be used: ${(error as Error).message}`;
      }
      if (isNot) to.text.matchesNone(written);
      else to.text.matches(written);
      conversions.add(type, `response_checks (${isNot ? 'matches_none' : 'matches'})`);
      return null;
    }

    function json(given: unknown): string | null {
      if (isNot) return 'there is no check that an answer is not JSON';
      if (given === undefined || given === null || given === '') to.text.json();
      else {
        const schema = typeof given === 'string' ? jsonIn(given) : given;
        if (!isObject(schema)) return 'its value is not a JSON Schema';
        to.text.schema(schema as Options);
      }
      conversions.add(type, `response_checks (${given ? 'json_schema' : 'json'})`);
      return null;
    }

    function words(given: unknown): string | null {
      if (isNot) return 'there is no check of this kind';
      const exact = isObject(given) ? null : Number(given);
      const { min, max } = isObject(given) ? given : { min: exact, max: exact };
      const limits = [min, max].map((limit) => (limit === undefined || limit === null ? undefined : Number(limit)));
      if (
        limits.every((limit) => limit === undefined) ||
        limits.some((limit) => limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0))
      ) {
        return 'its value is neither a number nor has "min" or "max"';
      }
      to.text.words({ min: limits[0], max: limits[1] });
      conversions.add(type, 'response_checks (min_words, max_words)', 'only words with a letter or a digit count');
      return null;
    }

    /** Compares with a reference, which is the expected answer of the case. */
    function similar(wanted: string | null, criterion: string, options: Options, difference: string): string | null {
      if (wanted === null || wanted.trim() === '') return NO_TEXT;
      const threshold = options.threshold ?? (typeof assertion.threshold === 'number' ? assertion.threshold : 0.75);
      if (!to.reference(wanted)) return 'the case is compared with another text already';
      if (!to.entry(criterion, { threshold, ...options })) return ANOTHER;
      conversions.add(type, criterion, difference);
      return null;
    }

    function rubric(given: unknown): string | null {
      const statements = textsIn(given);
      if (statements === null) return NO_TEXT;
      if (assertion.rubricPrompt !== undefined) lose('prompts for judges ("rubricPrompt"), left out');
      if (typeof assertion.threshold === 'number')
        lose('thresholds of assertions that a model judges, left out: a rubric is fulfilled or not');
      for (const statement of statements) {
        const metric = typeof assertion.metric === 'string' ? assertion.metric : statement.slice(0, 40);
        to.rubric(isNot ? `not_${metric}` : metric, isNot ? `This is not true of the answer: ${statement}` : statement);
      }
      askJudge();
      conversions.add(type, 'rubric_based_final_response_quality_v1', 'a judge votes yes or no, by its own prompt');
      return null;
    }

    function askJudge(): void {
      const asked = assertion.provider ?? provider;
      if (asked === undefined || asked === null) return;
      const name = judgeName(asked);
      if (name === null) lose('judges of a provider that has no name here, left out: name one with --judge-model');
      else to.judge(name);
    }

    function used(given: unknown): string | null {
      const names = textsIn(isObject(given) ? given.name : given);
      if (names === null || (isObject(given) && Object.keys(given).some((key) => key !== 'name'))) {
        return 'only the names of what was used can be checked';
      }
      const isSkill = base === 'skill-used';
      const [criterion, option] = isSkill
        ? (['path_checks', isNot ? 'never_skills' : 'skills'] as const)
        : (['tool_checks', isNot ? 'never' : 'called'] as const);
      to.list(criterion, option, names);
      conversions.add(type, `${criterion} (${option})`);
      return null;
    }

    /** Returns the value with its variables filled in, or the content of the file that it names. */
    async function givenValue(written: unknown): Promise<{ readonly value: unknown } | { readonly problem: string }> {
      if (typeof written === 'string' && written.startsWith('file://')) {
        const isData = /\.(?:json|ya?ml)$/i.test(written);
        const read = isData ? await files.value(written) : await files.text(written);
        return 'problem' in read ? read : typeof read.value === 'string' ? filled(read.value) : { value: read.value };
      }
      if (typeof written === 'string') return filled(written);
      if (!Array.isArray(written)) return { value: written };
      const all: unknown[] = [];
      for (const each of written) {
        const one = typeof each === 'string' ? filled(each) : { value: each };
        if ('problem' in one) return one;
        all.push(one.value);
      }
      return { value: all };
    }

    function filled(written: string): { readonly value: string } | { readonly problem: string } {
      const result = fillTemplate(written, { lookUp: (path) => varAt(vars, path), hasLogic: true });
      if ('problem' in result) return { problem: `its value cannot be filled, because ${result.problem}` };
      for (const path of result.missing)
        lose(`the variable {{ ${path.slice(0, 60)} }} of an assertion, which has no value, filled with nothing`);
      return { value: result.text };
    }
  }
}

const NO_TEXT = 'its value is not a text';
const ANOTHER = 'the test has another assertion of the type already';

/** Lists assertions. A text is read as in the cell of a table, or names a file of assertions. */
async function listed(written: unknown, { files, lose }: AssertionContext): Promise<readonly Fields[]> {
  if (typeof written === 'string') {
    const read = await files.records(written);
    if ('value' in read) return objectsIn(read.value);
    lose(`assertions in another file, left out: ${read.problem}`);
    return [];
  }
  if (!Array.isArray(written)) return [];
  const all: Fields[] = [];
  for (const one of written) {
    if (isObject(one) && one.type !== undefined) all.push(one);
    else if (isObject(one) && typeof one.$ref === 'string')
      lose(`assertions by reference ("${one.$ref.slice(0, 60)}"), left out`);
    else lose('assertions without a type, left out');
  }
  return all;
}

/** Returns a text or a list of texts as a list, or `null` for anything else. */
function textsIn(given: unknown): readonly string[] | null {
  const all = (Array.isArray(given) ? given : [given]).map((one) =>
    ['string', 'number', 'boolean'].includes(typeof one) ? textOf(one) : '',
  );
  return all.length === 0 || all.includes('') ? null : all;
}

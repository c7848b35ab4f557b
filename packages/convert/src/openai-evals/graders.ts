import { isObject } from '@agent-criteria/formats';
import type { Conversions } from '../criteria/conversions.ts';
import { wholePattern } from '../criteria/literal-pattern.ts';
import type { CaseCriteriaBuilder } from '../criteria/open-case-criteria.ts';
import { type Fields, objectsIn } from '../fields.ts';
import { textIn } from '../messages/read-parts.ts';
import { valueAt } from '../rows/value-at.ts';
import { fillTemplate } from '../templates/fill-template.ts';

/** Adds the criterion that a grader became to a case. @returns why it cannot be added to this case, or `null`. */
export type ApplyGrader = (item: Fields, to: CaseCriteriaBuilder) => string | null;

/** Stands for the answer in the text of a rubric. */
const THE_ANSWER = '[the answer]';

/** The fields of a sample that are the text of the answer. */
const ANSWERS = ['sample.output_text', 'sample.output_json'];

const SIMILARITIES = new Map([
  ['rouge_1', 'rouge1'],
  ['rouge_2', 'rouge2'],
  ['rouge_l', 'rougeL'],
]);

const AS_RUBRIC = 'a judge votes yes or no on a rubric with the text of the prompt';

/**
 * Makes a criterion of a grader. Code of graders is never run.
 *
 * @returns `null` if there is no criterion for it, which is then listed as a loss.
 */
export function readGrader(grader: Fields, conversions: Conversions, lose: (what: string) => void): ApplyGrader | null {
  const { type } = grader;
  const name = typeof grader.name === 'string' && grader.name !== '' ? withoutId(grader.name) : String(type);
  const shown = `the grader "${name.slice(0, 60)}"`;
  const notConverted = (why: string): null => {
    lose(`${shown} (${String(type).slice(0, 40)}), not converted: ${why}`);
    return null;
  };
  if (type === 'string_check') return stringCheck();
  if (type === 'text_similarity') return textSimilarity();
  if (type === 'label_model') return labelModel();
  if (type === 'score_model') return scoreModel();
  if (type === 'python') return notConverted('code of a file is never run; write a criterion instead');
  if (type === 'multi')
    return notConverted('there is no formula over several criteria; name each of its graders in the config');
  return notConverted('there is no criterion of this kind');

  function stringCheck(): ApplyGrader | null {
    const { operation } = grader;
    const isExact = operation === 'eq' || operation === 'ne';
    // Whether two texts are equal does not depend on which is which.
    const isTurned = isExact && isAnswer(grader.reference) && !isAnswer(grader.input);
    const [input, reference] = isTurned ? [grader.reference, grader.input] : [grader.input, grader.reference];
    if (!isAnswer(input)) return notConverted('it does not check the text of the answer');
    if (typeof reference !== 'string') return notConverted('it has no "reference"');
    if (samplesIn(reference).length > 0) return notConverted('it compares the answer with another part of the sample');
    const from = `string_check ${String(operation)} "${name}"`;
    if (operation === 'eq') conversions.add(from, 'response_checks (equals)', 'white space at both ends is ignored');
    else if (operation === 'ne') conversions.add(from, 'response_checks (matches_none)');
    else if (operation === 'like') conversions.add(from, 'response_checks (contains)');
    else if (operation === 'ilike') conversions.add(from, 'response_checks (contains, ignore_case)');
    else return notConverted(`there is no operation "${String(operation).slice(0, 40)}"`);
    return (item, { text }) => {
      const filled = fillItem(reference, item);
      if ('problem' in filled) return `${shown}: ${filled.problem}`;
      const wanted = filled.text;
      if (operation === 'ne') text.matchesNone(wholePattern(wanted));
      else if (wanted.trim() === '') return `${shown}: its reference is empty here`;
      else if (operation === 'eq') text.equals(wanted);
      else text.contains(wanted, operation === 'ilike');
      return null;
    };
  }

  function textSimilarity(): ApplyGrader | null {
    const { evaluation_metric: metric, reference, input, pass_threshold: threshold } = grader;
    const kind = SIMILARITIES.get(String(metric));
    if (kind === undefined) return notConverted(`there is no criterion for "${String(metric).slice(0, 40)}"`);
    if (!isAnswer(input)) return notConverted('it does not compare the text of the answer');
    if (typeof reference !== 'string' || samplesIn(reference).length > 0)
      return notConverted('its reference is not part of the item');
    if (typeof threshold !== 'number' || threshold < 0 || threshold > 1)
      return notConverted('its "pass_threshold" is not between 0 and 1');
    const from = `text_similarity ${String(metric)} "${name}"`;
    conversions.add(
      from,
      `response_match_score (${kind})`,
      'words are split as ADK does, without stems, so scores can differ',
    );
    return (item, to) => {
      const filled = fillItem(reference, item);
      if ('problem' in filled) return `${shown}: ${filled.problem}`;
      if (filled.text.trim() === '') return `${shown}: its reference is empty here`;
      if (!to.reference(filled.text)) return `${shown}: the case is compared with another reference already`;
      if (to.entry('response_match_score', { threshold, type: kind, language: 'none' })) return null;
      return `${shown}: response_match_score compares in one way only, and another grader came first`;
    };
  }

  function labelModel(): ApplyGrader | null {
    const [labels, passing] = [textsIn(grader.labels), textsIn(grader.passing_labels)];
    if (passing.length === 0) return notConverted('it has no "passing_labels"');
    const right = passing.map((label) => `"${label}"`).join(' or ');
    const others = labels.filter((label) => !passing.includes(label)).map((label) => `"${label}"`);
    const instead = others.length === 0 ? '' : `, and not ${others.join(' or ')}`;
    return modelGrader(`By the instructions below, the right label is ${right}${instead}.`);
  }

  function scoreModel(): ApplyGrader | null {
    const range = Array.isArray(grader.range) && grader.range.length === 2 ? grader.range.map(Number) : [0, 1];
    const [least = 0, most = 1] = range;
    if (!(least < most)) return notConverted('its "range" is not two numbers, the smaller first');
    const threshold = grader.pass_threshold;
    if (threshold === undefined || threshold === null)
      return notConverted('it has no "pass_threshold", so it never failed');
    if (typeof threshold !== 'number') return notConverted('its "pass_threshold" is not a number');
    return modelGrader(
      `By the instructions below, on a scale from ${least} to ${most}, the right score is at least ${threshold}.`,
    );
  }

  /** Makes a rubric of the prompt of a grader that asks a model. */
  function modelGrader(statement: string): ApplyGrader | null {
    const messages = objectsIn(grader.input);
    const prompt = messages.map(({ role, content }) => `${String(role)}: ${textIn(content)}`).join('\n\n');
    if (prompt === '') return notConverted('it has no messages');
    const unknown = samplesIn(prompt).find((path) => !ANSWERS.includes(path));
    if (unknown !== undefined) return notConverted(`a judge does not see {{ ${unknown.slice(0, 60)} }}`);
    if (messages.some(({ content }) => hasMedia(content)))
      lose(`pictures and sounds in the prompt of ${shown}, left out`);
    if (isObject(grader.sampling_params)) lose(`sampling parameters of ${shown}, left out`);
    conversions.add(`${String(type)} "${name}"`, 'rubric_based_final_response_quality_v1', AS_RUBRIC);
    const model = typeof grader.model === 'string' && grader.model !== '' ? `openai/${grader.model}` : null;
    return (item, to) => {
      const filled = fillItem(prompt, item);
      if ('problem' in filled) return `${shown}: ${filled.problem}`;
      const where = filled.text.includes(THE_ANSWER) ? ` ${THE_ANSWER} stands for the final answer.` : '';
      to.rubric(name, `${statement}${where}\n\n${filled.text}`);
      if (model !== null) to.judge(model);
      return null;
    };
  }
}

/** Fills the fields of an item in a template, and a sign for the answer. */
function fillItem(template: string, item: Fields) {
  const lookUp = (path: readonly (string | number)[]) =>
    ANSWERS.includes(path.join('.')) ? THE_ANSWER : valueAt({ item }, path);
  return fillTemplate(template, { lookUp });
}

function samplesIn(template: string): readonly string[] {
  const found: string[] = [];
  fillTemplate(template, {
    lookUp: (path) => {
      if (path[0] === 'sample') found.push(path.join('.'));
      return undefined;
    },
  });
  return found;
}

/** Whether a template is the text of the answer and nothing else. */
function isAnswer(template: unknown): boolean {
  return typeof template === 'string' && /^\s*\{\{\s*sample\.output_text\s*\}\}\s*$/.test(template);
}

/** Removes the id that the dashboard adds to the name of a grader. */
export function withoutId(name: string): string {
  return name.replace(/-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/, '');
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string' && one !== '') : [];
}

function hasMedia(content: unknown): boolean {
  return objectsIn(Array.isArray(content) ? content : [content]).some(({ type }) => /image|audio/.test(String(type)));
}

import { LONGEST_RECORD } from '../input/source-record.ts';

/** A place in the values of a template, such as `['item', 'answers', 0]`. */
export type TemplatePath = readonly (string | number)[];

export type FilledTemplate =
  | {
      readonly text: string;
      /** The placeholders without a value, which were filled with nothing. */
      readonly missing: readonly string[];
    }
  | {
      /** Why the template cannot be filled. */
      readonly problem: string;
    };

export interface FillTemplateOptions {
  /**
   * The value at a path, or `undefined` if there is none. Texts are filled in as they are, and anything that is not a text,
   * number or boolean as JSON.
   */
  readonly lookUp: (path: TemplatePath) => unknown;
  /**
   * Whether the template may have logic, as Nunjucks has it: tags, comments, filters and expressions. Comments are removed,
   * and anything else is a problem. Default `false`: braces without a path are text.
   */
  readonly hasLogic?: boolean | undefined;
}

/** A hostile file may repeat a long value as often as it has room for a placeholder. */
const LONGEST = LONGEST_RECORD / 8;

/** A longer placeholder is none. */
const LONGEST_PLACEHOLDER = 1000;

const PATH = /^[A-Za-z_$][\w$]*(?:\.[\w$]+|\[(?:\d{1,9}|"[^"\\]*"|'[^'\\]*')\])*$/;
const STEP = /[A-Za-z_$\d][\w$]*|\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]/g;
const END = { '{{': '}}', '{%': '%}', '{#': '#}' } as const;

/** Fills `{{ path.to.value }}` in a template. Runs no code: a template is data that others wrote. */
export function fillTemplate(template: string, { lookUp, hasLogic = false }: FillTemplateOptions): FilledTemplate {
  const texts: string[] = [];
  const missing: string[] = [];
  let length = 0;
  let from = 0;
  // Kept until it is passed, so that a text of many beginnings and a single end is searched once.
  const ends = { '{{': -2, '{%': -2, '{#': -2 };
  const add = (text: string): void => {
    texts.push(text);
    length += text.length;
  };
  for (;;) {
    const begin = nextBegin(template, from, hasLogic);
    if (begin === -1) break;
    const opening = template.slice(begin, begin + 2) as keyof typeof END;
    if (ends[opening] !== -1 && ends[opening] < begin + 2) ends[opening] = template.indexOf(END[opening], begin + 2);
    const end = ends[opening];
    if (end === -1) {
      // Without logic, the rest of the text has no placeholder.
      if (!hasLogic) break;
      return { problem: `it has "${opening}" without "${END[opening]}"` };
    }
    const inner = end - begin > LONGEST_PLACEHOLDER ? '' : template.slice(begin + 2, end).trim();
    const next = end + 2;
    if (opening === '{{' && PATH.test(inner)) {
      add(template.slice(from, begin));
      const value = lookUp(pathOf(inner));
      if (value === undefined || value === null) missing.push(inner);
      else add(textOf(value));
      from = next;
    } else if (hasLogic && opening !== '{#') {
      return { problem: `it has logic of Nunjucks: ${template.slice(begin, Math.min(next, begin + 60))}` };
    } else if (hasLogic) {
      add(template.slice(from, begin));
      from = next;
    } else {
      add(template.slice(from, begin + 2));
      from = begin + 2;
    }
    if (length > LONGEST) return { problem: `filled, it is longer than ${LONGEST.toLocaleString('en')} characters` };
  }
  add(template.slice(from));
  return { text: texts.join(''), missing };
}

function nextBegin(template: string, from: number, hasLogic: boolean): number {
  if (!hasLogic) return template.indexOf('{{', from);
  for (let at = template.indexOf('{', from); at !== -1; at = template.indexOf('{', at + 1)) {
    if (Object.hasOwn(END, template.slice(at, at + 2))) return at;
  }
  return -1;
}

function pathOf(written: string): TemplatePath {
  return [...written.matchAll(STEP)].map(([step, index, double, single]) =>
    index === undefined ? (double ?? single ?? step) : Number(index),
  );
}

/** Writes a value as it appears in a filled template. */
export function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

// Reads the text formats of ADK's judges as ADK does, so that the results can be passed to our judges in their format.
// The rows about ADK's reading itself are excused.

export interface RubricBlock {
  readonly id: string | null;
  readonly property: string;
  readonly rationale: string;
  /** A verdict that contains "yes" is positive. Otherwise, a verdict that contains "no" is negative. */
  readonly score: 1 | 0 | null;
}

export function rubricBlocks(text: string): readonly RubricBlock[] {
  const blocks = text.matchAll(/(?:^ID: (.*)\n)?^Property: (.*)\nRationale: (.*)\nVerdict: (.*)$/gm);
  return Array.from(blocks, ([, id, property = '', rationale = '', verdict = '']) => {
    const said = verdict.toLowerCase();
    const score = said.includes('yes') ? 1 : said.includes('no') ? 0 : null;
    return { id: id ?? null, property, rationale, score };
  });
}

export function segmentsIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/<sentence>([\s\S]*?)<\/sentence>/g), ([, sentence = '']) => sentence);
}

export interface SentenceBlock {
  readonly sentence: string;
  readonly label: string;
  readonly rationale: string;
  readonly supporting_excerpt: string | null;
  readonly contradicting_excerpt: string | null;
}

// Python's IGNORECASE matches the long s as an s, too.
const SENTENCE =
  /sentence:(.*?)\nlabel:(.*?)\nrationale:(.*?)\nsupporting_excerpt:(.*?)\ncontradicting_excerpt:(.*?)(?=\nsentence:|$(?![\s\S]))/gisu;

export function sentenceBlocks(text: string): readonly SentenceBlock[] {
  return Array.from(strip(text).matchAll(SENTENCE), ([, ...fields]) => {
    const [sentence = '', label = '', rationale = '', supporting = '', contradicting = ''] = fields.map(strip);
    return {
      sentence,
      label,
      rationale,
      supporting_excerpt: excerpt(supporting),
      contradicting_excerpt: excerpt(contradicting),
    };
  });
}

/** Strips like Python, including the file separators, which JavaScript keeps. */
function strip(text = ''): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Python strips them.
  return text.replace(/^[\s\u001c-\u001f\u0085]+|[\s\u001c-\u001f\u0085]+$/g, '');
}

function excerpt(text: string): string | null {
  return text.toLowerCase() === 'null' ? null : text;
}

import type { GoldenGroup, GoldenRow } from './golden-files.ts';

const PARSED_TEXT = new Set([
  'final_response_match_v2.parse_critique',
  'final_response_match_v2.convert_auto_rater_response_to_score',
  'rubric.parse',
  'rubric.normalize_text',
  'rubric.convert_auto_rater_response_to_score',
  'hallucinations.parse_sentences',
  'hallucinations.parse_validation_results',
]);

/** Returns why a row is not run, or `null` for every other row. No other row may be left out. */
export function excuseOf({ file, of }: GoldenGroup, { isLossy, mixesIntegers }: GoldenRow): string | null {
  if (file === 'tool-parameter-match.public.jsonl' && !isLossy && mixesIntegers) {
    return 'not marked js-lossy, but like those: integers beyond 2^53, which JSON.parse cannot tell apart';
  }
  if (file === 'judge-parse.public.jsonl' && of !== null) {
    if (PARSED_TEXT.has(of)) {
      return "they test how ADK looks through a judge's text, which is not copied: line `judge-answers` of list B";
    }
    if (of === 'e2e.final_response_match_v2') {
      return 'an artefact of how they were made: every turn is NOT_EVALUATED, whatever its judge says';
    }
  }
  return isLossy ? 'marked js-lossy: integers beyond 2^53, which JSON.parse cannot tell apart' : null;
}

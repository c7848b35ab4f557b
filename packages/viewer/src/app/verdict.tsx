import type { AnyVerdict } from './route.ts';

/** Verdicts are always shown with a word and a shape, never by colour alone. */
export const VERDICT_WORDS: Readonly<Record<AnyVerdict, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  'not-evaluated': 'Not evaluated',
  'cannot-tell': 'Cannot tell',
  error: 'Error',
  informational: 'Informational',
  skipped: 'Skipped',
  waiting: 'Waiting',
  running: 'Running',
};

/** The verdicts on cases and criteria. Those that need attention come first. */
export const CASE_VERDICTS = [
  'failed',
  'error',
  'not-evaluated',
  'passed',
  'informational',
  'running',
  'waiting',
] as const;
export const CRITERION_VERDICTS = ['failed', 'not-evaluated', 'passed', 'informational', 'skipped'] as const;

const QUESTION_MARK =
  'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm.9 10.9H7.2v-1.6h1.7zm.1-3.1v.6H7.2v-.9c0-1.5 1.9-1.6 1.9-2.7 0-.5-.4-.9-1.1-.9s-1.2.4-1.6.9L5.3 4.700C5.9 3.9 6.9 3.4 8.1 3.400c1.7 0 2.8.9 2.8 2.3 0 1.9-1.9 2.1-1.9 3.100z';
const SHAPES: Readonly<Record<AnyVerdict | 'unknown', string>> = {
  passed: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm3.5 5.2-4.2 4.6a.8.8 0 0 1-1.1 0L4.3 8.9l1.1-1.1 1.3 1.3 3.7-4z',
  failed:
    'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm3 8.9L9.9 11 8 9.1 6.1 11 5 9.9 6.9 8 5 6.1 6.1 5 8 6.9 9.9 5 11 6.1 9.1 8z',
  'not-evaluated': QUESTION_MARK,
  'cannot-tell': QUESTION_MARK,
  error: 'M8 1.2 15.3 14H.7zM7.2 6v4h1.600V6zm0 5v1.600h1.600V11z',
  informational: 'M2.5 2h11v12h-11zM7.2 4.200v1.600h1.600V4.200zm0 2.800v4.800h1.600V7z',
  skipped: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm3.5 7.800h-7V7.200h7z',
  waiting:
    'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 1.600a5.400 5.400 0 1 1 0 10.800A5.400 5.400 0 0 1 8 2.600zM7.200 4.500v4.100l2.900 1.700.8-1.300-2.100-1.200V4.500z',
  running: 'M8 1a7 7 0 1 0 7 7h-1.600A5.400 5.400 0 1 1 8 2.600z',
  unknown: 'M3 7.200h10v1.600H3z',
};

export function VerdictIcon({ verdict }: { readonly verdict: AnyVerdict | undefined }) {
  return (
    <svg class={`icon ${verdict ?? 'unknown'}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path fill="currentColor" fill-rule="evenodd" d={SHAPES[verdict ?? 'unknown']} />
    </svg>
  );
}

export function VerdictBadge({ verdict, large = false }: { readonly verdict: AnyVerdict; readonly large?: boolean }) {
  return (
    <span class={`badge ${verdict}${large ? ' large' : ''}`}>
      <VerdictIcon verdict={verdict} />
      <span class="verdict-word">{VERDICT_WORDS[verdict]}</span>
    </span>
  );
}

import { CriteriaError } from '@agent-criteria/core';
import { type GateRules, readGates } from './read-gates.ts';

/**
 * Parses the gates of `--gate` flags: `pass_rate=0.9`, `means.response_match_score=0.7`, `quantiles.NAME=0.95:8`,
 * `pass_hat_k=3:0.8`, `cost=0.02`, `regression`, `regression=0.02`.
 *
 * @throws CriteriaError USAGE with every mistake in them.
 */
export function gatesOfTexts(texts: readonly string[]): GateRules['gates'] {
  // Without a prototype, "__proto__" is an ordinary key.
  const [written, means, quantiles] = [named(), named(), named()];
  for (const text of texts) {
    const at = text.indexOf('=');
    const [name, value] = at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
    if (name.startsWith('means.')) means[name.slice('means.'.length)] = numberOf(value);
    else if (name.startsWith('quantiles.')) {
      const [q, limit] = pairOf(value);
      quantiles[name.slice('quantiles.'.length)] = { q, limit };
    } else if (name === 'pass_hat_k') {
      const [k, rate] = pairOf(value);
      written[name] = { k, rate };
    } else written[name] = name === 'regression' && (value === undefined || value === 'true') ? true : numberOf(value);
  }
  if (Object.keys(means).length > 0) written.means = means;
  if (Object.keys(quantiles).length > 0) written.quantiles = quantiles;
  const { rules, problems } = readGates(written);
  if (problems.length === 0) return rules.gates;
  throw new CriteriaError(
    problems.map(({ path = '', message }) => {
      return { code: 'USAGE', message: `--gate ${path.replace('$.agent_criteria.gates.', '')}: ${message}` };
    }),
  );
}

function named(): Record<string, unknown> {
  return Object.create(null);
}

/** Parses `3:0.8`. Returns no numbers if there are more than two. */
function pairOf(text = ''): readonly (number | undefined)[] {
  const parts = text.split(':');
  return parts.length > 2 ? [] : parts.map(numberOf);
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined || text.trim() === '' ? undefined : Number(text);
}

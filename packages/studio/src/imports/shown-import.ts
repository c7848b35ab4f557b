import type { ImportPreview } from '@agent-criteria/convert';
import { formatProblem } from '@agent-criteria/formats';
import type { ShownImport } from '../api.ts';

/** The number of characters of a text, and of turns and calls of a conversation, that are shown. */
const LONGEST = 600;
const MOST_TURNS = 4;
const MOST_CALLS = 8;

/** Shortens what a page shows of a file, whose conversations may be of any size. */
export function shownImport({ first, problems, ...preview }: ImportPreview): ShownImport {
  return {
    ...preview,
    first: first.map(({ turns, ...one }) => ({
      ...one,
      moreTurns: Math.max(turns.length - MOST_TURNS, 0),
      turns: turns.slice(0, MOST_TURNS).map(({ user, calls, answer }) => ({
        user: shortened(user),
        calls: calls.slice(0, MOST_CALLS).map((call) => ({ ...call, args: shortArgs(call.args) })),
        answer: shortened(answer),
      })),
    })),
    problems: problems.map(formatProblem),
    canLeaveOut: problems.some(({ path }) => path !== undefined),
  };
}

function shortened(text: string): string {
  const signs = text.slice(0, 2 * LONGEST);
  const characters = [...signs];
  return characters.length <= LONGEST ? signs : `${characters.slice(0, LONGEST).join('')}…`;
}

function shortArgs(args: Readonly<Record<string, unknown>> | null) {
  return args !== null && JSON.stringify(args).length > LONGEST ? { '…': shortened(JSON.stringify(args)) } : args;
}

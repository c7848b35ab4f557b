import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { askPort } from './ask-port.ts';
import { checkAnswers } from './check-answers.ts';
import { reportText } from './report-text.ts';
import { readRows } from './rows.ts';

const HELP = `Usage: agent-criteria-conformance [--only KIND]... [--known FILE] [--json] -- COMMAND [ARGUMENT]...

Starts COMMAND, asks it each row on its standard input, and compares its answers. The README describes the protocol and
the kinds of rows.

  --only KIND   only rows of this kind, or of this group before the slash, such as rouge1 or statistics
  --known FILE  JSON: reasons for known differences, by the ids of rows
  --json        print every row that does not agree as JSON

Exit codes: 0 it conforms, as far as it answers, 1 it does not, 2 a usage error.
`;

/** Runs the command line, writes to `out`, and returns the exit code. */
export async function runConformance(args: readonly string[], out: (text: string) => void): Promise<number> {
  let known: Record<string, string> = {};
  let parsed: ReturnType<typeof read>;
  try {
    parsed = read(args);
    if (parsed.values.known !== undefined) known = JSON.parse(readFileSync(parsed.values.known, 'utf8'));
  } catch (error) {
    out(`${(error as Error).message}\n\n${HELP}`);
    return 2;
  }
  const { values, command } = parsed;
  if (values.help === true) {
    out(HELP);
    return 0;
  }
  const [file, ...more] = command;
  const { only = [] } = values;
  const all = readRows();
  const rows = all.filter(({ kind }) => only.length === 0 || only.some((one) => isOf(kind, one)));
  if (file === undefined || rows.length === 0) {
    const kinds = [...new Set(all.map(({ kind }) => kind))];
    const what =
      file === undefined
        ? 'Name the command of the port after --'
        : `There is no such kind; kinds are ${kinds.join(', ')}`;
    out(`${what}.\n\n${HELP}`);
    return 2;
  }
  const { answers, problems } = await askPort(rows, { command: [file, ...more] });
  const ids = new Set(rows.map(({ id }) => id));
  const ofRows = Object.fromEntries(Object.entries(known).filter(([id]) => only.length === 0 || ids.has(id)));
  const conformance = checkAnswers(rows, answers, ofRows);
  if (values.json === true) {
    const others = conformance.rows.filter(({ result }) => result !== 'agrees');
    const { passes, staleKnown } = conformance;
    const listed = others.map(({ row: { id, kind }, result, detail }) => ({ id, kind, result, detail }));
    out(
      `${JSON.stringify({ passes, agree: rows.length - others.length, rows: rows.length, others: listed, staleKnown, problems }, null, 1)}\n`,
    );
  } else out(reportText(conformance, problems));
  return conformance.passes ? 0 : 1;
}

function read(args: readonly string[]) {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const { values } = parseArgs({
    args: args.slice(0, end),
    options: {
      only: { type: 'string', multiple: true },
      known: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  return { values, command: args.slice(end + 1) };
}

function isOf(kind: string, asked: string): boolean {
  return kind === asked || kind.startsWith(`${asked}/`);
}

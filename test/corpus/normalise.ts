import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { root } from './folder.ts';

export interface Place {
  /** The command's working folder. */
  readonly folder: string;
  /** The root of the repository. */
  readonly root: string;
  /** The address of the server that the command could reach, if there was one. */
  readonly server: string | null;
}

/** The current versions of our packages. */
const versions = new Set(
  readdirSync(join(root, 'packages')).flatMap((name): string[] => {
    try {
      return [JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')).version];
    } catch {
      return [];
    }
  }),
);

/**
 * Creates a function that replaces everything in a text that depends on the machine or the time. Ids are numbered, so
 * that equal ids can still be recognised: runs in the order in which they began, others in order of appearance.
 */
export function normaliser({ folder, root, server, runs }: Place & { readonly runs: readonly string[] }) {
  const seen = { run: [...runs], uuid: [] as string[] };
  const numbered = (kind: keyof typeof seen) => (id: string) => {
    if (!seen[kind].includes(id)) seen[kind].push(id);
    return `<${kind} ${seen[kind].indexOf(id) + 1}>`;
  };
  // Earlier commands ran in neighbouring folders.
  const folders = new RegExp(`(?:file://)?${literally(dirname(dirname(folder)))}/\\d{4}/work`, 'g');
  return (text: string): string => {
    let result = text
      .replaceAll('\u001b', '\\e')
      .replaceAll(folders, '<folder>')
      .replaceAll(`file://${root}`, '<repository>')
      .replaceAll(root, '<repository>');
    if (server !== null) result = result.replaceAll(server, '<server>').replaceAll(new URL(server).host, '<server>');
    for (const version of versions) {
      // A range that starts with a version does not change when the version does.
      result = result.replaceAll(new RegExp(`(?<!>=|[\\d.])${literally(version)}(?![\\d.])`, 'g'), '<version>');
    }
    return (
      result
        .replaceAll(new RegExp(`\\b${literally(process.versions.node)}\\b`, 'g'), '<node version>')
        // A command may run on another version.
        .replaceAll(/\bNode \d+\.\d+\.\d+\b/g, 'Node <node version>')
        // Stack frames outside the agent, in files: code moves, and async frames depend on what ran before.
        .replaceAll(
          /\\n *at (?![^"\\]*<folder>)(?=[^"\\]*(?:node_modules|node:|…|[ (]\/|file:|<anonymous>|\(index ))[^"\\]*(?::\d+:\d+\)?|<anonymous>\)|\(index \d+\))(?=\\n|")/g,
          '',
        )
        .replaceAll(/\d{8}-\d{6}-[0-9a-z]{4}\b/g, numbered('run'))
        .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, numbered('uuid'))
        .replaceAll(/\b([0-9a-f]{12})(?:[0-9a-f]{52}|[0-9a-f]{20})\b/g, '$1')
        .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\b)/g, '<time>')
        .replaceAll(/("(?:\w*At|creation_?[tT]imestamp|duration|\w+Duration)": ?)\d+(\.\d+)?/g, '$1"<time>"')
        .replaceAll(/(?<=invocation_duration_v1(?: score" value="|,|:? ))\d[\d.]*/g, '<time>')
        // In a CSV line, these are the scores of the turn and of the case.
        .replaceAll(/^.*,invocation_duration_v1,.*$/gm, (line) =>
          line
            .replace(/,[\d.e-]+,INFORMATIONAL,/, ',<time>,INFORMATIONAL,')
            .replace(/,informational,[\d.e-]+,/, ',informational,<time>,'),
        )
        // In a row of the page, which does not name its criterion.
        .replaceAll(/(\["informational",)\d[\d.e-]*/g, '$1"<score>"')
        // In a criterion's record, up to the name of the next one.
        .replaceAll(/"invocation_duration_v1"(?:(?!"(?:name|metricName|metric_name)":).)*/gs, (record) =>
          record
            .replaceAll(/("(?:score|value)": ?)\d[\d.e-]*/g, '$1"<time>"')
            .replace(/("interval": ?)\{[^{}]*\}/, '$1"<interval>"'),
        )
        .replaceAll(/("latency": ?|answered in )\d+/g, '$1<time>')
        .replaceAll(/(\btime=")[\d.]+"/g, '$1<time>"')
        .replaceAll(/("time": ?)\d+/g, '$1"<time>"')
        // The age of a run.
        .replaceAll(/\bjust now\b|\b\d+ (?:min|h|days) ago\b/g, '<ago>')
        // The start of a run as shown by `runs`, to the minute.
        .replaceAll(/(?<=<run \d+> +)\d{4}-\d\d-\d\d \d\d:\d\d/g, '<time>')
        // The names of ADK's results.
        .replaceAll(/_\d{10}(\.\d+)?\b/g, '_<time>')
        // The marks around data for a coding agent, which cannot be guessed.
        .replaceAll(/(agent-criteria-data id=")[0-9a-f]{16}"/g, '$1<random>"')
        // A run that is not stored.
        .replaceAll(/("id": "agent-criteria-)\w{6}"/g, '$1<random>"')
        .replaceAll(/\{"pid":\d+,"host":"[^"]*","id":"\w+"[^{}]*\}/g, '<lock>')
        // Hashes in an outcome: one of the scores, which contain times, and one of the record.
        .replaceAll(/("(?:scores|record)Hash": ?)"[0-9a-f]+"/g, '$1"<hash>"')
        .replaceAll(/("madeFrom": ?\{\s*"inferences": ?)\d+(,\s*"scores": ?)\d+/g, '$1"<bytes>"$2"<bytes>"')
    );
  };
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

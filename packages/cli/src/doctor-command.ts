import { coreVersion, counted } from '@agent-criteria/core/host';
import { type DescribedSetting, type EnvironmentFile, settings, settingsOfFlags } from '@agent-criteria/project/config';
import {
  type CheckedModel,
  type CheckedService,
  type CheckedSet,
  doctor,
  type Findings,
  type FoundPlugin,
  type InstalledPackage,
  keyText,
} from '@agent-criteria/project/doctor';
import { foldProblems, problemText } from '@agent-criteria/report/console';
import { oneLine, safe } from '@agent-criteria/report/terminal';

import manifest from '../package.json' with { type: 'json' };
import type { Given } from './command-flags.ts';
import { type Io, painter } from './io.ts';
import { printResult } from './print.ts';
import { projectOptions } from './project.ts';

/** Checks everything that a run needs, before one is started. */
export async function doctorCommand({ flags, positionals }: Given<'doctor'>, io: Io): Promise<number> {
  const { signal } = io;
  const how = projectOptions(settingsOfFlags(flags), io);
  const findings = await doctor({ ...how, agent: positionals[0], offline: flags.offline === true, signal });
  printResult(flags.json, asJson(findings), () => format(findings, io), io);
  return findings.problems.length > 0 ? 2 : 0;
}

function format(findings: Findings, io: Io): string {
  const { node, packages, configuration, agent, sets, models, services, plugins, runs, problems, warnings } = findings;
  const { bold, red, yellow, green } = painter(io);
  const lines: string[] = [];
  const topic = (name: string, entries: readonly string[]) => {
    if (entries.length > 0) lines.push(bold(name), ...entries.map((entry) => `  ${entry}`), '');
  };
  topic('versions', [
    `Node ${node} (${manifest.engines.node} is required)`,
    `agent-criteria ${manifest.version}, with core ${coreVersion}`,
  ]);
  topic(
    'packages found',
    packages.length === 0 ? ['no agent-criteria packages in this project'] : packages.map(packageText),
  );
  if (configuration !== null) {
    const { file, environment } = configuration;
    topic('configuration', [
      file === null ? 'no agent-criteria.config file' : safe(file),
      ...(environment.length === 0
        ? ['no .env file in the folder of the agent or here']
        : environment.map(environmentText)),
    ]);
    topic(
      'settings',
      configuration.settings.map((setting) => settingText(setting, sets)),
    );
  }
  topic('agent', agent === null ? [] : [safe(agent)]);
  topic('eval sets', sets.map(setText));
  topic('models', models.map(modelText));
  topic('services', services.map(serviceText));
  topic('plugins', plugins.map(pluginText));
  if (runs !== null) topic('runs', [`${counted(runs.count, 'run')} in ${safe(runs.folder)}`]);
  for (const warning of warnings) lines.push(`${yellow('warning')}: ${problemText(warning)}`);
  for (const problem of foldProblems(problems)) lines.push(`${red('problem')}: ${problemText(problem)}`);
  if (problems.length === 0 && warnings.length === 0) lines.push(green('No problems found.'));
  else if (problems.length === 0) lines.push(yellow(`${counted(warnings.length, 'warning')}, no mistakes.`));
  return `${lines.join('\n')}\n`;
}

function packageText({ name, version }: InstalledPackage): string {
  return `${safe(name)} ${safe(version)}`;
}

function environmentText({ file, names, ignored }: EnvironmentFile): string {
  const set = names.length === 0 ? 'nothing new' : names.map(safe).join(', ');
  const before = ignored.length === 0 ? '' : `; already set: ${ignored.map(safe).join(', ')}`;
  return `${safe(file)}: ${set}${before}`;
}

function settingText({ name, value, source, from }: DescribedSetting, sets: readonly CheckedSet[]): string {
  const unit = settings[name].type === 'duration' && value !== null ? ' ms' : '';
  // Configs next to eval sets, which no setting names.
  const found = name === 'config' && value === null ? [...new Set(sets.flatMap(({ config }) => config ?? []))] : [];
  const others = sets.some(({ config }) => config === null) ? `, otherwise ${settings[name].without}` : '';
  const without = found.length > 0 ? `${found.join(', ')}${others}` : settings[name].without;
  const shown = value === null ? without : `${value}${unit}`;
  return safe(`${name}: ${shown} (${found.length > 0 ? 'found with the eval sets' : (from ?? source)})`);
}

function setText({ file, configSource, cases, criteria }: CheckedSet): string {
  const names = criteria.map(({ name }) => safe(name)).join(', ');
  return `${safe(file)}: ${counted(cases, 'case')}, judged by ${names}${configSource === null ? '' : ` (${safe(configSource)})`}`;
}

function modelText({ id, names, askedBy, service, credentials, latency, recorded, problems }: CheckedModel): string {
  const roles = names.filter((name) => name !== id);
  const asked = askedBy.length === 0 ? '' : `, for ${askedBy.join(', ')}`;
  const role = roles.length === 0 ? '' : ` as ${roles.join(', ')}`;
  if (recorded) return safe(`${id}${role}${asked}: not called, its answers are recorded`);
  const place = service === null ? '' : `: ${service}${keyText({ credentials })}`;
  const answered = latency === null ? 'not asked' : `answered in ${latency} ms`;
  return safe(`${id}${role}${asked}${place}; ${problems.length > 0 ? 'cannot be used' : answered}`);
}

function serviceText({ service, credentials, askedBy, recorded, usable }: CheckedService): string {
  const head = `${service}, for ${askedBy.join(', ')}`;
  if (recorded) return safe(`${head}: not called, its answers are recorded`);
  return safe(`${head}${keyText({ credentials })}; ${usable ? 'not called' : 'cannot be called'}`);
}

function pluginText({ kind, name, ...origin }: FoundPlugin): string {
  return `${kind} ${oneLine(name, 60)} of ${safe(origin.package)} ${safe(origin.version)}`;
}

function asJson({ node, packages, configuration, agent, sets, models, services, runs, plugins, ...rest }: Findings) {
  return {
    node,
    command: { version: manifest.version, core: coreVersion },
    packages,
    config: configuration?.file ?? null,
    environment: configuration?.environment ?? [],
    settings: configuration?.settings ?? [],
    agent,
    sets,
    models,
    services,
    runs,
    plugins,
    problems: rest.problems,
    warnings: rest.warnings,
  };
}

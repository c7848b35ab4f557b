import { commandWord } from '@agent-criteria/formats/parse';
import type { RunInfo, RunSet } from '@agent-criteria/results';

/**
 * Returns the command that reruns one case, or `undefined` if the set is not a file, the id cannot be passed as an
 * argument, or any part contains shell metacharacters.
 */
export function rerunCommand(
  info: Pick<RunInfo, 'agent' | 'variants' | 'repeats' | 'auto' | 'compat'>,
  set: Pick<RunSet, 'file' | 'configFile'>,
  caseId: string,
): string | undefined {
  const { file, configFile } = set;
  if (file === null || file.indexOf(':', 2) >= 0 || caseId !== caseId.trim() || /^$|,/.test(caseId)) return undefined;
  const repeats = repeatFlags(info);
  const compat = info.compat === null ? [] : ['--compat', info.compat];
  const config = configFile === null ? [] : ['--config-file-path', configFile];
  const agents = info.variants?.flatMap(({ name, agent }) => ['--variant', `${name}=${agent}`]) ?? [info.agent];
  const words = [...agents, `${file}:${caseId}`, ...config, ...repeats, ...compat];
  if (info.variants === undefined && /^-/.test(info.agent)) return undefined;
  const quoted = words.map(commandWord);
  return quoted.includes(null) ? undefined : `npx agent-criteria eval ${quoted.join(' ')}`;
}

function repeatFlags({ repeats, auto }: Pick<RunInfo, 'repeats' | 'auto'>): readonly string[] {
  if (auto) return ['--num-runs', `auto:${repeats}`, '--gate', `case_pass_rate=${auto.casePassRate}`];
  return repeats > 1 ? ['--num-runs', String(repeats)] : [];
}

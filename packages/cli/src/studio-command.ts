import type { OpenProjectOptions } from '@agent-criteria/project';
import { settingsOfFlags } from '@agent-criteria/project/config';
import { safe } from '@agent-criteria/report/terminal';
import { isUrl } from '@agent-criteria/runner';
import { portOf } from './arguments.ts';
import type { Given } from './command-flags.ts';
import { interrupted } from './interrupted.ts';
import type { Io } from './io.ts';
import { loadOptional } from './load-optional.ts';
import { openTarget } from './open-file.ts';
import { projectOptions } from './project.ts';

const PACKAGE = '@agent-criteria/studio';

/** The part of `@agent-criteria/studio` that the command uses without depending on it. */
interface StudioModule {
  startStudio(
    options: Omit<OpenProjectOptions, 'agent'> & {
      readonly folder: string;
      readonly port: number | undefined;
      readonly adkWeb: string | undefined;
      readonly allowUnauthenticated: boolean;
      readonly inspect: number | undefined;
    },
  ): Promise<{
    readonly link: string;
    oneTimeLink(): string;
    readonly token: string | null;
    readonly apps: readonly string[];
    readonly notices: readonly string[];
    drain(): Promise<readonly string[]>;
    close(): Promise<void>;
  }>;
}

/** Serves the studio until Ctrl-C. */
export async function studioCommand({ flags, positionals }: Given<'studio'>, io: Io): Promise<number> {
  const [folder = '.'] = positionals;
  const port = portOf('port', flags.port);
  const { startStudio } = await loadOptional<StudioModule>(PACKAGE, {
    command: 'studio',
    folders: isUrl(folder) ? ['.'] : ['.', folder],
  });
  const allowUnauthenticated = flags.allow_unauthenticated === true;
  const options = projectOptions(settingsOfFlags(flags), io);
  const inspect = portOf('inspect', flags.inspect);
  const studio = await startStudio({ ...options, folder, port, adkWeb: flags.adk_web, allowUnauthenticated, inspect });
  for (const notice of studio.notices) io.err(`${safe(notice)}\n`);
  if (allowUnauthenticated) {
    io.err('warning: --allow-unauthenticated: every program on this machine can read and change your eval sets.\n');
  }
  io.out(`Agents: ${studio.apps.map(safe).join(', ')}\n`);
  // Not wrapped, so that it stays clickable.
  io.raw(`${studio.link}\n`);
  if (studio.token !== null) io.out('The link lets this browser in. Press Ctrl-C to stop.\n');
  if (flags.no_open !== true) {
    const why = await openTarget(studio.oneTimeLink(), io);
    if (why !== null) io.err(`The browser was not opened: ${why}.\n`);
  }
  await interrupted(io.drain(), io.signal);
  // A second Ctrl-C does not wait for work in flight.
  const open = await Promise.race([studio.drain(), interrupted(io.signal).then(() => [])]);
  for (const id of open) io.err(`Run incomplete. Resume with: agent-criteria resume ${safe(id)}\n`);
  await studio.close();
  return open.length > 0 ? 130 : 0;
}

import { spawn } from 'node:child_process';
import type { Io } from './io.ts';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer.exe' };

/** Opens a path or a URL with the desktop's default program. @returns `null`, or the reason why it was not opened. */
export async function openTarget(target: string, { environment }: Pick<Io, 'environment'>): Promise<string | null> {
  const { CI, DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION } = environment;
  if (CI && CI !== 'false' && CI !== '0') return 'this is CI';
  const hasDesktop = process.platform in OPENERS && !SSH_CONNECTION;
  if (!hasDesktop && !DISPLAY && !WAYLAND_DISPLAY) return 'there is no display';
  const opener = OPENERS[process.platform] ?? 'xdg-open';
  const child = spawn(opener, [target], { detached: true, stdio: 'ignore', env: environment });
  return new Promise((settle) => {
    child.once('error', () => settle(`${opener} cannot be run`));
    child.once('spawn', () => {
      child.unref();
      settle(null);
    });
  });
}

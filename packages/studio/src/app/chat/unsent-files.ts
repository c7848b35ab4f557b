import { isMessageFile, type MessageFile } from './message-file.ts';

/**
 * The most characters of files that a tab keeps for one session. Browsers keep about five million for all pages of the
 * studio together, and texts need some.
 */
const MOST = 3_000_000;

/** Reads the files that were attached for a session, and not sent before this tab was reloaded. */
export function unsentFiles(app: string, session: string): readonly MessageFile[] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(keyOf(app, session)) ?? '[]');
    return Array.isArray(found) ? found.filter(isMessageFile) : [];
  } catch {
    return [];
  }
}

/** Keeps the files in this tab only, until they are sent. @returns Whether they outlive the page, unlike too large ones. */
export function keepUnsentFiles(app: string, session: string, files: readonly MessageFile[]): boolean {
  try {
    sessionStorage.removeItem(keyOf(app, session));
    if (files.length === 0) return true;
    const text = JSON.stringify(files);
    if (text.length > MOST) return false;
    sessionStorage.setItem(keyOf(app, session), text);
    return true;
  } catch {
    return false;
  }
}

function keyOf(app: string, session: string): string {
  return `agent-criteria.unsent-files.${JSON.stringify([app, session])}`;
}

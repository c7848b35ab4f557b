/** Reads the text that was typed for a session, and not sent before this tab was reloaded. */
export function unsentText(app: string, session: string): string {
  try {
    return sessionStorage.getItem(keyOf(app, session)) ?? '';
  } catch {
    return '';
  }
}

/** Keeps the text in this tab only, until it is sent. */
export function keepUnsentText(app: string, session: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(keyOf(app, session));
    else sessionStorage.setItem(keyOf(app, session), text);
  } catch {
    // A browser may forbid it, and then the text lasts as long as the page.
  }
}

function keyOf(app: string, session: string): string {
  return `agent-criteria.unsent.${JSON.stringify([app, session])}`;
}

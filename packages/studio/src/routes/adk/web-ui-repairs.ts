/** Where our copies of the fonts of ADK's web UI are declared. */
const FONTS = '/app/adk-web-fonts.css';

/**
 * Makes the page of ADK's web UI load nothing from other origins: their links and font faces are removed, and its fonts
 * come from this server.
 */
export function withOwnFonts(page: string): string {
  return page
    .replaceAll(/<link\b[^>]*\bhref=["']?(?:https?:)?\/\/[^>]*>/gi, '')
    .replaceAll(/@font-face\s*\{[^{}]*url\(\s*["']?(?:https?:)?\/\/[^{}]*\}/gi, '')
    .replace(/<\/head>/i, `<link rel="stylesheet" href="${FONTS}">$&`);
}

/**
 * Makes the client show a run that ended after its list of runs was first read.
 *
 * It keeps results in a plain object, and reads them in computed signals, which are calculated again only if a signal
 * changes. So a set whose runs were read while it had none has "No Runs" until the page is loaded again. Here these are
 * plain functions. Code without them is returned unchanged.
 */
export function withCurrentRuns(code: string): string {
  return code.replaceAll(
    /\b(evalHistorySorted|currentHistoryMetrics|caseHistory)=[\w$]+\(\(\)=>/g,
    '$1=(read=>read)(()=>',
  );
}

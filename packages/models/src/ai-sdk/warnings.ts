/** Describes the warning of a model. v2 names a setting, v3 and v4 a feature. */
export function warningTexts(warnings: readonly { readonly type: string }[]): string[] {
  return warnings.map((warning) => {
    const { type, setting, feature, details, message } = warning as Readonly<Record<string, unknown>>;
    const what = [setting, feature].find((name) => typeof name === 'string');
    const more = [details, message].filter((text) => typeof text === 'string' && text !== '').join('; ');
    const lacks = String(type).startsWith('unsupported') ? 'does not support' : String(type);
    const text = what === undefined ? '' : `${lacks} "${what}"`;
    return [text, more].filter((part) => part !== '').join(': ') || String(type);
  });
}

/** As npm allows names: nothing that leads out of a folder. */
const PACKAGE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

export function isPackageName(name: string): boolean {
  return PACKAGE_NAME.test(name);
}

/** The package that a specifier such as `criteria-tone/pure` leads into; `null`: it is a path. */
export function packageOf(specifier: string): string | null {
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  return isPackageName(name) ? name : null;
}

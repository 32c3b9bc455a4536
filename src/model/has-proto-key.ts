/** Whether a name in it is `__proto__`. Without recursion: the value may be nested deeper than the stack allows. */
export function hasProtoKey(value: unknown): boolean {
  const pending = [value].filter(isObject);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Object.hasOwn(next, '__proto__')) return true;
    for (const member of Object.values(next)) if (isObject(member)) pending.push(member);
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

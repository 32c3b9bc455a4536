import { address, setParams } from '../../state/address.js';
import type { ParameterTexts } from './parameter-values.js';

const prefix = 'p.';

/** The values of a form are part of the address: `?p.city=Rome`. */
export function parameterTexts(): ParameterTexts {
  return Object.fromEntries(
    Object.entries(address.value.params).flatMap(([name, text]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), text]] : [],
    ),
  );
}

export function setParameterText(name: string, text: string): void {
  setParams({ [prefix + name]: text });
}

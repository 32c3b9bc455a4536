import { address, setParams } from '../state/address.js';

interface Props {
  /** The parameter of the address. */
  readonly name: string;
  readonly label: string;
  readonly kind?: 'text' | 'date' | 'share';
}

/** A filter that is part of the address. */
export function ParamInput({ name, label, kind = 'text' }: Props) {
  const common = {
    name,
    id: `param-${name}`,
    value: address.value.params[name] ?? '',
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      setParams({ [name]: currentTarget.value }),
  };
  return (
    <label class="stack-label" for={`param-${name}`}>
      {label}
      {kind === 'text' && <input type="text" {...common} />}
      {kind === 'date' && <input type="date" {...common} />}
      {kind === 'share' && <input type="number" min={0} max={1} step={0.1} {...common} />}
    </label>
  );
}

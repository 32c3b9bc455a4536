import { visibleText } from '../../parts/text.js';
import type { ParameterTexts } from './parameter-values.js';
import type { Parameter } from './parse-query-heads.js';

interface Props {
  readonly params: readonly Parameter[];
  readonly texts: ParameterTexts;
  readonly onChange: (name: string, text: string) => void;
}

/** A field for each parameter of a query. */
export function ParameterForm({ params, texts, onChange }: Props) {
  if (params.length === 0) return null;
  return (
    <fieldset class="row bare parameters" aria-label="Parameters">
      {params.map((param) => (
        <div key={param.name} class="stack-label">
          <label for={`param-${param.name}`}>
            <code>${visibleText(param.name)}</code> <span class="muted">{describeKind(param)}</span>
          </label>
          <Field
            param={param}
            text={texts[param.name] ?? ''}
            onChange={(text) => onChange(param.name, text)}
          />
        </div>
      ))}
    </fieldset>
  );
}

interface FieldProps {
  readonly param: Parameter;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

function Field({ param: { name, kind, nullable }, text, onChange }: FieldProps) {
  const common = {
    id: `param-${name}`,
    value: text,
    required: !nullable && kind !== 'string',
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange(currentTarget.value),
  };
  switch (kind) {
    case 'bool':
      return (
        <select {...common}>
          <option value="" />
          <option value="true">true</option>
          <option value="false">false</option>
        </select>
      );
    case 'int':
      return <input type="number" step={1} {...common} />;
    case 'float':
      return <input type="number" step="any" {...common} />;
    case 'date':
      return <input type="date" {...common} />;
    case 'datetime':
      return <input type="datetime-local" step={1} {...common} />;
    case 'list':
      return <textarea rows={3} {...common} />;
    default:
      return <input type="text" {...common} />;
  }
}

function describeKind({ kind, item_kind, nullable }: Parameter): string {
  const what = kind === 'list' ? `${item_kind ?? 'text'}, one per line` : kind === 'string' ? 'text' : kind;
  return nullable ? `${what}, optional` : what;
}

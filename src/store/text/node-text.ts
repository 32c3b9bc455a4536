import type { Props } from '../../model/json.js';
import { renderProps } from '../../model/render-props.js';

/** Everything a node says about itself without its observations, as one searchable text. */
export function nodeText(
  name: string,
  type: string,
  summary: string | null,
  propsJson: string | null,
): string {
  const props = propsJson === null ? [] : renderProps(JSON.parse(propsJson) as Props);
  return [name, type, ...(summary === null ? [] : [summary]), ...props].join('\n');
}

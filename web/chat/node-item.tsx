import { Text } from '../parts/text.js';
import { Highlighted } from '../views/search/highlighted.js';
import type { PageNode } from './graph-page.js';
import { NodeButton } from './node-button.js';
import type { GraphShown } from './shown.js';

const mostFacts = 3;

interface Props {
  readonly shown: GraphShown;
  readonly node: PageNode;
  /** What was searched for. */
  readonly words: string;
}

/** A node in a list, with what is first said of it. */
export function NodeItem({ shown, node, words }: Props) {
  const { summary, tags, facts = [], match } = node;
  const lines = match === undefined ? facts.slice(0, mostFacts).map(({ text }) => text) : [match];
  return (
    <li class="hit">
      <NodeButton shown={shown} node={node} />
      {tags.map((tag) => (
        <span key={tag} class="tag">
          <Text>{tag}</Text>
        </span>
      ))}
      {summary !== undefined && (
        <p class="stored clamp">
          <Text>{summary}</Text>
        </p>
      )}
      <ul class="facts-short">
        {lines.map((text, index) => (
          <li key={index} class="stored clamp">
            <Highlighted text={text} words={words} />
          </li>
        ))}
      </ul>
      {match === undefined && facts.length > mostFacts && (
        <span class="muted">and {facts.length - mostFacts} more</span>
      )}
    </li>
  );
}

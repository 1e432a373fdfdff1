/** A place that a list of ways leads to. */
interface Way {
  href: string;
  text: string;
  /** Whether the reader is there. */
  isHere: boolean;
}

interface NavigationProps {
  label: string;
  ways: readonly Way[];
  /** Shown as tabs of a page. */
  isTabs?: boolean;
}

/** Ways to other places, of which that of the reader is marked. */
export const Navigation = ({ label, ways, isTabs }: NavigationProps) => (
  <nav aria-label={label}>
    <ul class={isTabs ? 'areas tabs' : 'areas'}>
      {ways.map(({ href, text, isHere }) => (
        <li key={href}>
          <a href={href} aria-current={isHere ? 'page' : undefined}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

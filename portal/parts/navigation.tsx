import { useState } from 'preact/hooks';

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
  /** The text of the button behind which many ways are on a narrow screen. */
  menu?: string;
}

/** Ways to other places, of which that of the reader is marked. */
export const Navigation = ({ label, ways, isTabs, menu }: NavigationProps) => (
  <nav aria-label={label}>
    {menu === undefined ? null : <MenuButton text={menu} />}
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

/** Shows and hides the list behind it, on a narrow screen only. */
const MenuButton = ({ text }: { text: string }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <button type="button" class="menu" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      {text}
    </button>
  );
};

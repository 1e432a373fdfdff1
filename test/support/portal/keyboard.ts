import { expect } from 'chai';
import type { PortalPage } from './browser.ts';

/** What has the focus, and whether it can be seen there. */
interface Focused {
  tag: string;
  name: string;
  outline: number;
  isInView: boolean;
}

const FOCUSED = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { top, bottom } = element.getBoundingClientRect();
  const label = element.labels?.[0]?.textContent ?? element.textContent;
  return {
    tag: element.tagName,
    name: label.trim(),
    outline: outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth),
    isInView: bottom > 0 && top < innerHeight,
  };
})()`;

/** More stops than any page has. */
const MOST = 80;

/** A person who uses the keyboard alone. */
export class Typist {
  constructor(readonly page: PortalPage) {}

  /** Presses Tab until a control has the focus; every stop on the way can be seen. */
  async tabTo(name: string): Promise<void> {
    for (let stop = 0; stop < MOST; stop += 1) {
      await this.page.keyboard.press('Tab');
      const focused = await this.page.evaluate<Focused>(FOCUSED);
      if (focused.tag === 'BODY') continue;
      expect(focused.outline, `outline of ${focused.name}`).to.be.at.least(2);
      expect(focused.isInView, focused.name).to.equal(true);
      if (focused.name === name) return;
    }
    throw new Error(`Tab does not reach ${name}`);
  }

  async press(name: string): Promise<void> {
    await this.tabTo(name);
    await this.page.keyboard.press('Enter');
  }

  async type(label: string, text: string): Promise<void> {
    await this.tabTo(label);
    await this.page.keyboard.type(text);
  }

  /** A new page has the focus on its heading. */
  async arrives(heading: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await this.page.locator('h1:focus').waitFor();
  }
}

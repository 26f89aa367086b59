// A wrong memory is found by the search box, its source is opened, it is corrected, and
// the correction is taken back. frame(words) is called where there is something to see.
import { shown } from "./page.mjs";

export async function story(page, frame) {
  const notice = (text) => page.locator("#notice").getByText(text).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("When is the concert?", { delay: 20 });
  await frame("Ask what is remembered");
  await page.keyboard.press("Enter");
  const hit = page.locator(".hit", { hasText: "second Saturday of August" }).filter({ hasText: "insight" }).first();
  await hit.waitFor();
  await frame("It says August");
  await hit.locator("a.open").click();
  await page.locator("article.card").waitFor();
  await shown(page);
  await frame("The insight, and the turns it came from");
  await page.getByRole("link", { name: /^Open in its session/ }).first().click();
  await page.locator(".turn[aria-current]").waitFor();
  await shown(page);
  await frame("Its source: what was said");
  await page.goBack();
  await page.locator("article.card").waitFor();
  await shown(page);
  await page.getByRole("button", { name: /^Edit/ }).click();
  const allow = page.getByRole("button", { name: "Allow changes" }), text = page.getByLabel("What is so");
  await allow.or(text).first().waitFor();
  if (await allow.isVisible()) {
    await frame("Asked once");
    await allow.click();
  }
  await text.waitFor();
  const before = await text.inputValue();
  await text.fill(before.replace("second", "third"));
  await page.getByLabel("Why it changes").fill("the chapel is taken on the second");
  await frame("Correct it");
  await page.getByRole("button", { name: "Save" }).click();
  await notice(/^Changed the insight/);
  await page.locator("article.card .content", { hasText: "third" }).waitFor();
  await shown(page);
  await frame("Corrected; the text before stays in its history");
  const corrected = await page.locator("article.card .content").innerText();
  await page.keyboard.press("Control+z");
  await notice(/^Taken back/);
  await page.locator("article.card .content", { hasText: "second" }).waitFor();
  await shown(page);
  await frame("Taken back");
  return { before, corrected, after: await page.locator("article.card .content").innerText() };
}

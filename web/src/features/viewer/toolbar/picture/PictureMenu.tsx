// Saves a picture of the scene: its size, and whether it shows what is selected.
import { Button, NumberInput, SegmentedControl, Stack, Switch, Text } from "@mantine/core";
import type { Stage } from "../../stage/stage";
import {
  NARROWEST_PICTURE,
  PICTURE_SIZES,
  type PictureSize,
  pictureScale,
  usePictureSettings,
  WIDEST_PICTURE,
} from "./pictureSettings";
import { saveImage } from "./saveImage";

export function PictureMenu({ stage }: { stage: Stage }) {
  const settings = usePictureSettings();
  const { clientWidth, clientHeight } = stage.canvas;
  const scale = pictureScale(settings, clientWidth);
  return (
    <Stack gap="sm">
      <div>
        <SegmentedControl
          aria-label="Size of the picture"
          size="xs"
          fullWidth
          data={PICTURE_SIZES.map((value) => ({ value, label: value === "width" ? "Width" : value }))}
          value={settings.size}
          onChange={(size) => usePictureSettings.setState({ size: size as PictureSize })}
        />
        <Text size="xs" c="dimmed" mt={4} className="numbers">
          {Math.round(clientWidth * scale)} × {Math.round(clientHeight * scale)} pixels
        </Text>
      </div>
      {settings.size === "width" && (
        <NumberInput
          label="Width in pixels"
          min={NARROWEST_PICTURE}
          max={WIDEST_PICTURE}
          allowDecimal={false}
          value={settings.width}
          onChange={(width) =>
            typeof width === "number" && width >= NARROWEST_PICTURE && usePictureSettings.setState({ width })
          }
        />
      )}
      <Switch
        label="Rings of the selection"
        description="Also around the atom under the pointer"
        checked={settings.rings}
        onChange={(event) => usePictureSettings.setState({ rings: event.currentTarget.checked })}
      />
      <Text size="xs" c="dimmed">
        The look of the scene says whether pictures have a background. The key P saves a picture at once.
      </Text>
      <Button onClick={() => void saveImage(stage)}>Save the picture</Button>
    </Stack>
  );
}

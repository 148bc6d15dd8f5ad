// SPDX-License-Identifier: MIT
#include "small_png.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include <png.h>

namespace kvgauge {
namespace {

constexpr std::size_t kColors = 256;

struct Counted {
    std::array<std::uint8_t, 3> rgb;
    double weight;  // the root of its count: text matters beside large grounds
};

struct Box {
    std::size_t begin, end;
    std::size_t axis = 0;
    double spread = 0;  // of the axis, by weight
};

void measure(Box& b, const std::vector<Counted>& colors) {
    b.spread = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double sum = 0, squares = 0, weight = 0;
        for (std::size_t i = b.begin; i < b.end; ++i) {
            const double v = colors[i].rgb[axis], w = colors[i].weight;
            sum += w * v;
            squares += w * v * v;
            weight += w;
        }
        const double spread = squares - sum * sum / weight;
        if (spread <= b.spread) continue;
        b.spread = spread;
        b.axis = axis;
    }
}

// Splits the box with the largest spread until there are enough.
std::vector<Box> boxes_of(std::vector<Counted>& colors) {
    std::vector<Box> boxes{{0, colors.size()}};
    measure(boxes[0], colors);
    while (boxes.size() < kColors) {
        const auto widest =
            std::max_element(boxes.begin(), boxes.end(),
                             [](const Box& a, const Box& b) { return a.spread < b.spread; });
        if (widest->end - widest->begin < 2 || widest->spread <= 0) break;
        Box low = *widest;
        const auto first = colors.begin() + static_cast<std::ptrdiff_t>(low.begin);
        const auto last = colors.begin() + static_cast<std::ptrdiff_t>(low.end);
        std::sort(first, last, [axis = low.axis](const Counted& a, const Counted& b) {
            return a.rgb[axis] < b.rgb[axis];
        });
        double half = 0;
        for (auto c = first; c != last; ++c) half += c->weight * .5;
        std::size_t cut = low.begin;
        for (double sum = 0; cut + 2 < low.end && sum + colors[cut].weight <= half; ++cut)
            sum += colors[cut].weight;
        cut = std::max(cut, low.begin + 1);
        Box high{cut, low.end};
        low.end = cut;
        measure(low, colors);
        measure(high, colors);
        *widest = low;
        boxes.push_back(high);
    }
    return boxes;
}

}  // namespace

bool write_small_png(const std::string& path, std::span<const unsigned char> rgba, int width,
                     int height) {
    const std::size_t pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    if (rgba.size() < pixels * 4) return false;
    const auto color = [&](std::size_t i) {
        return std::array<std::uint8_t, 3>{rgba[i * 4], rgba[i * 4 + 1], rgba[i * 4 + 2]};
    };
    std::map<std::array<std::uint8_t, 3>, std::size_t> found;
    for (std::size_t i = 0; i < pixels; ++i) ++found[color(i)];
    std::vector<Counted> colors;
    for (const auto& [rgb, count] : found)
        colors.push_back({rgb, std::sqrt(static_cast<double>(count))});
    const std::vector<Box> boxes = boxes_of(colors);
    std::vector<png_byte> palette;
    for (std::size_t b = 0; b < boxes.size(); ++b) {
        std::array<double, 3> sum{};
        double weight = 0;
        for (std::size_t i = boxes[b].begin; i < boxes[b].end; ++i) {
            for (std::size_t c = 0; c < 3; ++c) sum[c] += colors[i].weight * colors[i].rgb[c];
            weight += colors[i].weight;
            found[colors[i].rgb] = b;
        }
        for (const double s : sum) palette.push_back(static_cast<png_byte>(s / weight + .5));
    }
    std::vector<png_byte> indices(pixels);
    for (std::size_t i = 0; i < pixels; ++i) indices[i] = static_cast<png_byte>(found[color(i)]);
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    image.format = PNG_FORMAT_RGB_COLORMAP;
    image.colormap_entries = static_cast<png_uint_32>(boxes.size());
    return png_image_write_to_file(&image, path.c_str(), 0, indices.data(), 0, palette.data()) != 0;
}

}  // namespace kvgauge
